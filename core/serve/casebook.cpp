// SPDX-License-Identifier: Apache-2.0
#include "serve/casebook.h"

#include <QJsonDocument>

namespace lockkeeper::serve {

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

void CaseBook::restore(const CaseEvent& event) {
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
    return lines;
}

void CaseBook::read(const QByteArray& lines) {
    for (const QByteArray& line : lines.split('\n')) {
        if (const std::optional<Case> subject = caseFrom(QJsonDocument::fromJson(line).object()))
            restore({NoticeChange::Phase::Begun, *subject, subject->begunAt, false});
    }
}

}  // namespace lockkeeper::serve
