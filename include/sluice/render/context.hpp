// Helpers: objects that every template of a render reaches, however deep, without being passed by those between.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/moved.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

namespace detail {

/// Entries of a render's context, put in front of what is there for as long as this lives.
template <class... Objects>
class context_scope {
public:
    context_scope(document& doc, Objects&... objects)
        : doc_(doc),
          outside_(doc.context()),
          entries_{{&type_tag<std::remove_cv_t<Objects>>, const_cast<std::remove_cv_t<Objects>*>(&objects),
                    std::is_const_v<Objects>, nullptr}...} {
        const context_entry* next = outside_;
        for (context_entry& entry : entries_) {
            entry.next = next;
            next = &entry;
        }
        doc_.set_context(next);
    }
    context_scope(const context_scope&) = delete;
    context_scope& operator=(const context_scope&) = delete;
    ~context_scope() { doc_.set_context(outside_); }

private:
    document& doc_;
    const context_entry* outside_;
    context_entry entries_[sizeof...(Objects)];
};

} // namespace detail

/// What with_context returns: a template, to be rendered like any other.
template <class Content, class... Objects>
class in_context {
public:
    template <class Inner>
    explicit in_context(Inner&& content, Objects&... objects)
        : content_(static_cast<Inner&&>(content)), objects_(objects...) {}

    template <class... Extra>
        requires std::invocable<Content&, slot, Extra&...>
    coro::task<> operator()(slot out, Extra&... extra) {
        detail::document& doc = detail::slot_access::doc(out);
        detail::check_is_root(out);
        const auto scope = std::apply(
            [&](Objects&... objects) { return detail::context_scope<Objects...>(doc, objects...); }, objects_);
        co_await content_(std::move(out), extra...);
    }

private:
    Content content_;
    std::tuple<Objects&...> objects_;
};

/// The template `content`, in which `out.context<T>()`, of any slot, object or array, is the object of type T given
/// here:
///
///     co_return co_await sluice::render(sink, sluice::with_context(page, urls, viewer));
///
/// The objects are referred to, and must outlive the render. Of two of one type the last is found. Wraps a whole
/// render, not a part (errc::not_at_root), so that what one part sees another, rendered at the same time, cannot
/// change.
template <class Content, class... Objects>
auto with_context(Content&& content, Objects&&... objects) {
    SLUICE_REFUSE_RISKY_CALLABLE(Content);
    static_assert(sizeof...(Objects) != 0, "sluice: with_context is given the objects that templates reach");
    static_assert((std::is_lvalue_reference_v<Objects> && ...),
                  "sluice: with_context refers to its objects, which must outlive the render: a temporary does not");
    using content_type = std::decay_t<detail::taken_t<Content>>;
    return in_context<content_type, std::remove_reference_t<Objects>...>(detail::take<Content>(content), objects...);
}

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
