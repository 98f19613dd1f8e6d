// The errors of the library: one enumeration, one category, one exception.
//
// Inside a template both misuse and I/O failure are thrown, as render_error: its awaits return nothing, and its
// destructors must run. At the edges (render, async_respond, sinks, stores) outcomes are values.
#pragma once

#include <exception>
#include <string>
#include <system_error>

namespace sluice {

enum class errc {
    /// A write, or an opening, found the output more than a chunk past its high-water mark: an earlier write was not
    /// awaited.
    write_not_awaited = 1,
    /// The awaitable of a long value was dropped before the value was written whole.
    value_not_awaited,
    /// A container was written while a container inside it was open.
    parent_written_while_child_open,
    /// A container was used, or closed, after it, or one around it, had been closed.
    scope_closed,
    /// A slot was filled that had been filled or moved from.
    slot_empty,
    /// A member's slot was dropped without a value.
    member_without_value,
    /// The template ended without writing a document.
    no_root,
    /// Containers are nested deeper than the limit.
    too_deep,
    /// An infinity or a NaN, where the options do not say to write null.
    not_finite,
    /// A string that is not UTF-8, where the options say to refuse it.
    invalid_utf8,
    /// A member without a value, where the absent_policy in force is to refuse it.
    absent_value,
    /// A time point outside the years 0000 to 9999, or a duration of 2^63 seconds or more, or that is not a number.
    time_out_of_range,
    /// An enumerator's value that has no described name.
    enumerator_without_name,
    /// Ready bytes that are not what they are spliced as.
    invalid_splice,
    /// A template asked for a context that the render was not given.
    no_context,
    /// with_context stood round a part of a document.
    not_at_root,
    /// No view has this name, no option of a view this name, or no variant of a view fits and there is no default.
    no_view,
    /// A key that its object has already, in a strict render.
    duplicate_key,
    /// What is marked as not cacheable was rendered into a fragment.
    not_cacheable,
    /// A variant was merged that holds neither a described struct nor a map, or, into an array, no range.
    merge_of_wrong_kind,
    /// A call of put wrote more than one chunk.
    put_too_large,
    /// A key of more than 2 KiB as it is written.
    key_too_long,
    /// An exception passed an open container: what has been written can never be a complete document.
    exception_in_scope,
    /// The template ended by an exception of its own.
    template_threw,
    /// The task of a render was destroyed before it had finished.
    abandoned,
    /// The render was asked to stop.
    cancelled,
    /// The sink failed, without saying why.
    sink_failed,
};

/// The category of errc, named "sluice".
const std::error_category& error_category() noexcept;

inline std::error_code make_error_code(errc code) noexcept {
    return {static_cast<int>(code), error_category()};
}

/// Thrown in a template. `code()` is an errc or the sink's own error; `path()` names the place in the document, as in
/// `$.author.name`, and is part of `what()`.
class render_error : public std::system_error {
public:
    render_error(std::error_code code, std::string path, const std::string& detail);
    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

} // namespace sluice

template <>
struct std::is_error_code_enum<sluice::errc> : std::true_type {};
