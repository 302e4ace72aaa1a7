# A header as Doxygen shall see it: the lines above a declaration are its documentation, and so is what
# stands behind one. What a header begins with is the file's. Names and bytes in comments are no commands.
/^ *\/\// {
  s/[\\@]/\\&/g
  s/^( *)\/\//\1\/\/\//
  b
}
s/^#pragma once$/\/\/\/ @file/
/^ *(return|case) /b
s/^( *[A-Za-z_0-9:<>, ()]+( = [^;"]*|\{.*\})?[;,]?) +\/\/ (.*)$/\1  \/\/\/< \3/
