// Sluice: stream a document while it is being rendered. This header is what templates and those who run them need;
// it includes neither Asio nor Beast. It stays quick to
// compile: no <chrono> (dates are values all the same), and <sluice/coro/sync_wait.hpp> and
// <sluice/output/callback_sink.hpp> are included by those who use them.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/error.hpp>
#include <sluice/output/file_sink.hpp>
#include <sluice/output/ostream_sink.hpp>
#include <sluice/output/shared_bytes.hpp>
#include <sluice/output/string_sink.hpp>
#include <sluice/render/array.hpp>
#include <sluice/render/capture.hpp>
#include <sluice/render/concurrent.hpp>
#include <sluice/render/context.hpp>
#include <sluice/render/key_format.hpp>
#include <sluice/render/layout.hpp>
#include <sluice/render/object.hpp>
#include <sluice/render/only.hpp>
#include <sluice/render/render.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/string_writer.hpp>
#include <sluice/render/to_string.hpp>
#include <sluice/task.hpp>
#include <sluice/version.hpp>
