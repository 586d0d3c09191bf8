// SPDX-License-Identifier: Apache-2.0
#include "serve/casebook.h"

#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

const auto rootField = QStringLiteral("root");
const auto minuteField = QStringLiteral("minute");
const auto countField = QStringLiteral("count");

}  // namespace

std::optional<CaseEvent> CaseBook::begin(Case subject, WallTime at) {
    if (const auto known = m_open.find(subject.key()); known != m_open.end()) {
        known->isConfirmed = true;
        return std::nullopt;
    }
    if (m_open.size() >= most) {
        ++m_notKept;
        return std::nullopt;
    }
    m_changed = true;
    number(subject);
    m_open.insert(subject.key(), {subject, true});
    return CaseEvent{NoticeChange::Phase::Begun, std::move(subject), at, false};
}

std::optional<CaseEvent> CaseBook::end(const Case& subject, WallTime at) {
    const auto known = m_open.constFind(subject.key());
    if (known == m_open.cend())
        return std::nullopt;
    CaseEvent event{NoticeChange::Phase::Ended, known->subject, at, false};
    m_open.erase(known);
    m_changed = true;
    return event;
}

CaseEvent CaseBook::happen(Case subject, WallTime at) {
    m_changed = true;
    number(subject);
    return CaseEvent{NoticeChange::Phase::Happened, std::move(subject), at, false};
}

// So that two of the same minute differ. What has begun in earlier minutes is forgotten, so that this is bounded.
void CaseBook::number(Case& subject) {
    const Counted counted = m_counts.value(subject.root());
    // A clock that was set back passes the same minute twice.
    subject.nth = subject.minute() <= counted.minute ? counted.count : 0;
    recount(subject.root(), {subject.minute(), subject.nth + 1});
}

void CaseBook::recount(const QByteArray& root, const Counted& counted) {
    m_newestMinute = std::max(m_newestMinute, counted.minute);
    if (m_counts.size() >= most)
        m_counts.removeIf([this](const auto& entry) { return !isRecent(entry.value()); });
    const Counted before = m_counts.value(root);
    if (m_counts.contains(root) || m_counts.size() < most)
        m_counts.insert(root, {std::max(before.minute, counted.minute), counted.count});
}

void CaseBook::restore(const CaseEvent& event) {
    recount(event.subject.root(), {event.subject.minute(), event.subject.nth + 1});
    if (event.phase == NoticeChange::Phase::Begun && m_open.size() < most)
        m_open.insert(event.subject.key(), {event.subject, false});
    else if (event.phase == NoticeChange::Phase::Ended)
        m_open.remove(event.subject.key());
}

void CaseBook::unconfirm(const QString& target) {
    for (Open& open : m_open) {
        // That it is not watched is known without the target.
        if (open.subject.target == target && open.subject.notice)
            open.isConfirmed = false;
    }
}

std::vector<Case> CaseBook::unconfirmed(const QString& target) const {
    std::vector<Case> found;
    for (const Open& open : m_open) {
        if (!open.isConfirmed && open.subject.target == target)
            found.push_back(open.subject);
    }
    return found;
}

void CaseBook::confirm(const Case& subject) {
    if (const auto known = m_open.find(subject.key()); known != m_open.end())
        known->isConfirmed = true;
}

std::optional<CaseEvent> CaseBook::endUnseen(const Case& subject, WallTime at) {
    std::optional<CaseEvent> event = end(subject, at);
    if (event)
        event->inferred = true;
    return event;
}

std::vector<CaseEvent> CaseBook::endUnconfirmed(const QString& target, WallTime at) {
    std::vector<CaseEvent> ended;
    for (auto open = m_open.begin(); open != m_open.end();) {
        if (open->isConfirmed || open->subject.target != target) {
            ++open;
            continue;
        }
        ended.push_back({NoticeChange::Phase::Ended, open->subject, at, true});
        open = m_open.erase(open);
        m_changed = true;
    }
    return ended;
}

std::vector<CaseEvent> CaseBook::endAll(const QString& target, WallTime at) {
    for (Open& open : m_open)
        open.isConfirmed = open.isConfirmed && open.subject.target != target;
    return endUnconfirmed(target, at);
}

QSet<QString> CaseBook::targets() const {
    QSet<QString> targets;
    for (const Open& open : m_open)
        targets.insert(open.subject.target);
    return targets;
}

QByteArray CaseBook::lines() const {
    QByteArray lines;
    for (const Open& open : m_open)
        lines += QJsonDocument(toJson(open.subject)).toJson(QJsonDocument::Compact) + '\n';
    for (auto counted = m_counts.cbegin(); counted != m_counts.cend(); ++counted) {
        if (!isRecent(*counted) || m_open.contains(counted.key()))
            continue;
        const QJsonObject line{{rootField, QString::fromLatin1(counted.key())},
                               {minuteField, counted->minute},
                               {countField, counted->count}};
        lines += QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
    }
    return lines;
}

void CaseBook::read(const QByteArray& lines) {
    for (const QByteArray& line : lines.split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (const std::optional<Case> subject = caseFrom(object))
            restore({NoticeChange::Phase::Begun, *subject, subject->begunAt, false});
        else if (object.contains(rootField))
            recount(object.value(rootField).toString().toLatin1(),
                    {object.value(minuteField).toInteger(), object.value(countField).toInt()});
    }
}

}  // namespace lockkeeper::serve
