// Narrowing: a part of a group goes on together. Each function here is itself a collective of the group it narrows: every member must call it. A body runs in a
// scope of its own and gets the token of that scope; it returns nothing, and `return` inside it ends it. Leaving a scope neither reconverges nor orders memory.
// The emulator calls the roll (core/roll_call.hpp): it reports members that passed a call by or came to another one, the outer token in a
// body, and a condition whose type says that it is uniform and is not. Members that exit instead are not waited for, which is a note; that
// all who were to run a body have exited is a finding.
#pragma once

#include <muster/core/branch.hpp>
#include <muster/core/incomplete_narrowing.hpp>
#include <muster/core/loop_while.hpp>
#include <muster/core/only.hpp>
