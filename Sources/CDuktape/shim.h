#pragma once
#include <duktape.h>
