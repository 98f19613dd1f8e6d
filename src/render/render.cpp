#include <sluice/coro/sync_wait.hpp>
#include <sluice/render/part.hpp>
#include <sluice/render/render.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace sluice {

namespace detail {

std::coroutine_handle<> content_run::start(void* object) noexcept {
    auto& self = *static_cast<content_run*>(object);
    self.chain_.emplace(std::move(self.content_), coro::environment(self.outer_->context, self.outer_->stop));
    self.doc_.attach(self.chain_->environment());
    self.starting_ = true;
    self.chain_->start({&ended, &self});
    self.starting_ = false;
    return self.finished_ ? self.waiting_ : nullptr;
}

// Ends the inner chain; the outer one goes on in its own loop: that of `start`, if it is still there.
std::coroutine_handle<> content_run::ended(void* object) noexcept {
    auto& self = *static_cast<content_run*>(object);
    try {
        self.chain_->result();
        if (!self.doc_.root_begun())
            self.doc_.keep_misuse(errc::no_root, label(), "it ended without a value");
        else if (!self.doc_.all_closed())
            self.doc_.keep_misuse(errc::parent_written_while_child_open, label::of_root(),
                                  "the template ended while it is open");
    } catch (...) {
        self.exception_ = std::current_exception();
        self.doc_.keep_misuse(errc::template_threw, label(), "the template ended by an exception");
    }
    self.doc_.detach();
    self.finished_ = true;
    if (!self.starting_)
        coro::run_chain(*self.outer_, self.waiting_);
    return nullptr;
}

namespace {

std::string describe(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

} // namespace

render_result result_of(const document& doc, std::exception_ptr exception) {
    render_result result;
    result.error = doc.error();
    result.exception = std::move(exception);
    result.bytes = doc.bytes_sent();
    result.suspensions = doc.suspensions();
    if (!doc.failed())
        return result;
    result.path = doc.error_path().empty() ? "$" : doc.error_path();
    result.detail = doc.error_detail();
    // The template's own exception says more than that one passed.
    if (result.exception && (doc.error() == errc::template_threw || doc.error() == errc::exception_in_scope)) {
        result.error = errc::template_threw;
        result.detail += ": " + describe(result.exception);
    }
    return result;
}

namespace {

// `inside`: the path in the part, with the "$" that stands for the part's place.
void fail_whole(document& whole, const std::string& place, std::string_view inside, const document& part,
                const std::exception_ptr& thrown) {
    // A failure of the part is thrown as render_error too; what the template threw besides says more.
    const bool own = part.error() == errc::template_threw || part.error() == errc::exception_in_scope;
    if (own && thrown)
        std::rethrow_exception(thrown);
    whole.fail(part.error(), place + std::string(inside), part.error_detail());
    whole.throw_error();
}

} // namespace

void part_ended(document& whole, label name, const document& part, const std::exception_ptr& thrown) {
    if (!part.failed())
        return;
    std::string_view inside = part.error_path();
    inside.remove_prefix(inside.starts_with('$') ? 1 : 0);
    fail_whole(whole, whole.path_of(name), inside, part, thrown);
}

void element_ended(document& whole, std::uint64_t index, const document& part, const std::exception_ptr& thrown) {
    if (!part.failed())
        return;
    // A part that is an element names itself as one of its own, behind "$".
    std::string_view inside = part.error_path();
    inside.remove_prefix(inside.starts_with("$[") ? inside.find(']') + 1 : inside.starts_with('$') ? 1 : 0);
    fail_whole(whole, whole.path_of(label::of_root()) + '[' + std::to_string(index) + ']', inside, part, thrown);
}

render_result wait_for_result(coro::task<render_result> work) {
    return coro::sync_wait(std::move(work));
}

} // namespace detail

bool render_options::check_splices() const noexcept {
#ifdef NDEBUG
    return check_splices_ == check::on;
#else
    return check_splices_ != check::off;
#endif
}

std::string render_result::message() const {
    return error ? render_error(error, path, detail).what() : std::string();
}

void throw_if_failed(const render_result& result) {
    if (!result.error)
        return;
    if (result.exception)
        std::rethrow_exception(result.exception);
    throw render_error(result.error, result.path, result.detail);
}

} // namespace sluice
