#include <sluice/error.hpp>

#include <utility>

namespace sluice {

namespace {

class category final : public std::error_category {
public:
    const char* name() const noexcept override { return "sluice"; }

    std::string message(int value) const override {
        switch (static_cast<errc>(value)) {
        case errc::write_not_awaited:
            return "a write was not awaited";
        case errc::value_not_awaited:
            return "a long value was dropped before it was awaited";
        case errc::parent_written_while_child_open:
            return "written while a container inside it is open";
        case errc::scope_closed:
            return "used after it was closed";
        case errc::slot_empty:
            return "a slot was filled twice, or after it was moved from";
        case errc::member_without_value:
            return "a member was given no value";
        case errc::no_root:
            return "the template wrote no document";
        case errc::too_deep:
            return "nested deeper than the limit";
        case errc::not_finite:
            return "an infinity or NaN has no JSON form";
        case errc::invalid_utf8:
            return "a string is not valid UTF-8";
        case errc::absent_value:
            return "a value that must be there is absent";
        case errc::time_out_of_range:
            return "a time that its text cannot hold";
        case errc::enumerator_without_name:
            return "an enumeration's value has no described name";
        case errc::invalid_splice:
            return "spliced bytes are not what they are spliced as";
        case errc::key_too_long:
            return "a key is longer than 2 KiB";
        case errc::no_context:
            return "the render has no such context";
        case errc::not_at_root:
            return "a context was given to a part of a document";
        case errc::no_view:
            return "no such view";
        case errc::duplicate_key:
            return "an object has two members of one key";
        case errc::not_cacheable:
            return "rendered into a fragment, which must not be";
        case errc::merge_of_wrong_kind:
            return "merged into a container of another kind";
        case errc::put_too_large:
            return "a put wrote more than one chunk";
        case errc::exception_in_scope:
            return "an exception passed an open container";
        case errc::template_threw:
            return "the template threw";
        case errc::abandoned:
            return "the render was destroyed before it had finished";
        case errc::cancelled:
            return "the render was cancelled";
        case errc::sink_failed:
            return "the sink failed";
        }
        return "unknown sluice error";
    }
};

std::string compose(std::error_code code, const std::string& path, const std::string& detail) {
    std::string text = "sluice: at " + path;
    if (!detail.empty() && detail != code.message()) // which comes behind it
        text += ": " + detail;
    return text;
}

} // namespace

const std::error_category& error_category() noexcept {
    static const category instance;
    return instance;
}

render_error::render_error(std::error_code code, std::string path, const std::string& detail)
    : std::system_error(code, compose(code, path, detail)), path_(std::move(path)) {}

} // namespace sluice
