# Converts the comments of a header for Doxygen. Lines above a declaration and comments after it on its line become
# its documentation. The comment at the top of a header documents the file. Backslashes and @ in comments are
# escaped, so that they are not commands.
/^ *\/\// {
  s/[\\@]/\\&/g
  s/^( *)\/\//\1\/\/\//
  b
}
s/^#pragma once$/\/\/\/ @file/
/^ *(return|case) /b
s/^( *[A-Za-z_0-9:<>, ()]+( = [^;"]*|\{.*\})?[;,]?) +\/\/ (.*)$/\1  \/\/\/< \3/
