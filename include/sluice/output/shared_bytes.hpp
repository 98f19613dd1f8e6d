// Bytes that have an owner: what is spliced by reference instead of copied.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

/// Immutable bytes and whatever keeps them alive. Copying shares them. Any thread may hold a copy.
class shared_bytes {
public:
    shared_bytes() = default;
    /// Takes the string over.
    explicit shared_bytes(std::string text) {
        auto held = std::make_shared<const std::string>(std::move(text));
        view_ = *held;
        owner_ = std::move(held);
    }
    /// `view` must stay valid and unchanged as long as `owner` is held.
    shared_bytes(std::shared_ptr<const void> owner, std::string_view view) noexcept
        : owner_(std::move(owner)), view_(view) {}

    std::string_view view() const noexcept { return view_; }
    const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

private:
    std::shared_ptr<const void> owner_;
    std::string_view view_;
};

} // namespace sluice
