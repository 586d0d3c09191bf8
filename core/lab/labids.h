// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <compare>

namespace lockkeeper::lab {

// Names in a scenario. They are made from literals, so that scenarios stay short; names of different kinds are
// different types.
template <typename Kind>
class LabId {
public:
    LabId() = default;
    LabId(const char* text) : m_bytes(text) {}
    explicit LabId(QByteArray bytes) : m_bytes(std::move(bytes)) {}

    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_bytes; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_bytes.isEmpty(); }
    friend bool operator==(const LabId&, const LabId&) = default;
    friend auto operator<=>(const LabId& a, const LabId& b) noexcept { return a.m_bytes.compare(b.m_bytes) <=> 0; }

private:
    QByteArray m_bytes;
};

using ActorName = LabId<struct ActorNameKind>;
using LockId = LabId<struct LockIdKind>;        // a lock of a scenario; the same name may be locked in two ways
using StepLabel = LabId<struct StepLabelKind>;  // facts of this step begin with it
// A server of a laboratory, numbered from 0.
enum class ServerNumber : int {};
// The laboratory's Sentinel, which has no keys. No other server has this number.
inline constexpr ServerNumber sentinelServer{1000};

}  // namespace lockkeeper::lab
