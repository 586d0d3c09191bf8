// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/notice/noticewatch.h"

#include <QJsonObject>

namespace lockkeeper::serve {

using monitor::NoticeChange;

// Something that receivers are notified of, from its begin to its end: what a rule covers, or that a target, or a node
// of it, is not watched.
struct Case {
    QString target;
    std::optional<monitor::NoticeFacts> notice;  // nothing: it is not watched
    QString node;                                // not watched: this node of a Cluster; empty: the whole target
    WallTime begunAt{};
    int nth = 0;  // of those with the same root() that have begun in the same minute: set by the CaseBook

    friend bool operator==(const Case&, const Case&) = default;

    // 32 hex digits: the same for the same rule, target and subject in every notifier, whenever it begins.
    [[nodiscard]] QByteArray root() const;
    // The root; but each loss is a case of its own, because it has no end.
    [[nodiscard]] QByteArray key() const;
    // 32 hex digits: the key and its begin, which two notifiers know by their clocks, as a minute and a number in it.
    [[nodiscard]] QByteArray beginKey() const;
    // The minute of its begin, since 1970.
    [[nodiscard]] qint64 minute() const;
};

struct CaseEvent {
    NoticeChange::Phase phase = NoticeChange::Phase::Begun;
    Case subject;
    WallTime at{};
    bool inferred = false;  // ended while it was not watched, at an unknown time before `at`

    // 32 hex digits: no other event has it. The same each time that this event is sent, and in another notifier that
    // sees the begins of its case in the same minutes.
    [[nodiscard]] QByteArray id() const;
};

// For the file of open cases.
[[nodiscard]] QJsonObject toJson(const Case& subject);
// From such an object, or from an event's, unless the event has only a part of a long name. Nothing if it is neither.
[[nodiscard]] std::optional<Case> caseFrom(const QJsonObject& object);
// For receivers: resources/manual/notify.md has the fields. text: a sentence for people.
[[nodiscard]] QJsonObject toJson(const CaseEvent& event, const QString& text);
[[nodiscard]] std::optional<CaseEvent> caseEventFrom(const QJsonObject& object);

}  // namespace lockkeeper::serve
