// The structs of all files of an UMTracer trace, and their descriptions.
#pragma once
#include "layout/common.hpp"
#include "layout/context.hpp"
#include "layout/decoded.hpp"
#include "layout/exec.hpp"
#include "layout/instruction.hpp"
#include "layout/syscall.hpp"
