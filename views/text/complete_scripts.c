/* The scripts of the shells: each asks the program for the candidates, which stand in one place. */
#include <string.h>

#include "views/text/complete.h"

/* Bash parts words at ":" and "=", and puts a candidate in the place of the last part alone. */
static const char bash[] =
	"# Completion of gpuq for bash 3.2 and later. In ~/.bashrc: eval \"$(gpuq completion "
	"bash)\"\n"
	"_gpuq()\n"
	"{\n"
	"\tlocal IFS=$'\\n' i word line cut n=0 words=()\n"
	"\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif ((n > 0)) && [[ $word == [:=]* || ${words[n - 1]} == *[:=] ]]; then\n"
	"\t\t\twords[n - 1]+=$word\n"
	"\t\telse\n"
	"\t\t\twords[n]=$word\n"
	"\t\t\tn=$((n + 1))\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tword=${words[n - 1]}\n"
	"\tcut=${word%\"${word##*[:=]}\"}\n"
	"\tCOMPREPLY=()\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tcase $line in\n"
	"\t\t$'\\tfiles') compopt -o default 2>/dev/null ;;\n"
	"\t\t$'\\tmore') compopt -o nospace 2>/dev/null ;;\n"
	"\t\t*)\n"
	"\t\t\tline=${line%%$'\\t'*}\n"
	"\t\t\tline=${line#\"$cut\"}\n"
	"\t\t\t[[ $line == *[!a-zA-Z0-9_.,:=@%/+-]* ]] && printf -v line %q \"$line\"\n"
	"\t\t\tCOMPREPLY[${#COMPREPLY[@]}]=$line\n"
	"\t\t\t;;\n"
	"\t\tesac\n"
	"\tdone < <(\"${1/#\\~/$HOME}\" " COMPLETE_COMMAND " \"${words[@]}\" 2>/dev/null)\n"
	"}\n"
	"complete -F _gpuq gpuq\n";

static const char zsh[] =
	"#compdef gpuq\n"
	"# Completion of gpuq for zsh: as _gpuq in a folder of $fpath, or in ~/.zshrc behind\n"
	"# compinit: eval \"$(gpuq completion zsh)\"\n"
	"_gpuq()\n"
	"{\n"
	"\tlocal line word\n"
	"\tlocal -a found shown more\n"
	"\tfor line in \"${(@f)$(\"${(Q)words[1]}\" " COMPLETE_COMMAND
	" \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
	"\t\tcase $line in\n"
	"\t\t$'\\tfiles') _files ;;\n"
	"\t\t$'\\tmore') more=(-S '') ;;\n"
	"\t\t'') ;;\n"
	"\t\t*)\n"
	"\t\t\tword=${line%%$'\\t'*}\n"
	"\t\t\tfound+=(\"$word\")\n"
	"\t\t\tif [[ $line == *$'\\t'* ]]; then\n"
	"\t\t\t\tshown+=(\"$word  -- ${line#*$'\\t'}\")\n"
	"\t\t\telse\n"
	"\t\t\t\tshown+=(\"$word\")\n"
	"\t\t\tfi\n"
	"\t\t\t;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\t((${#found})) && compadd \"${more[@]}\" -l -d shown -a found\n"
	"}\n"
	"if [[ $funcstack[1] == _gpuq ]]; then\n"
	"\t_gpuq \"$@\"\n"
	"else\n"
	"\tcompdef _gpuq gpuq\n"
	"fi\n";

static const char fish[] =
	"# Completion of gpuq for fish: gpuq completion fish "
	">~/.config/fish/completions/gpuq.fish\n"
	"function __gpuq_complete\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l program $words[1]\n"
	"\tset -e words[1]\n"
	"\tfor line in ($program " COMPLETE_COMMAND " $words (commandline -ct) 2>/dev/null)\n"
	"\t\tswitch $line\n"
	"\t\t\tcase \\tfiles\n"
	"\t\t\t\t__fish_complete_path (commandline -ct)\n"
	"\t\t\tcase \\tmore\n"
	"\t\t\tcase '*'\n"
	"\t\t\t\techo $line\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"complete -c gpuq -f -a '(__gpuq_complete)'\n";

const char *complete_script(const char *shell)
{
	if (strcmp(shell, "bash") == 0)
		return bash;
	if (strcmp(shell, "zsh") == 0)
		return zsh;
	return strcmp(shell, "fish") == 0 ? fish : NULL;
}
