// SPDX-License-Identifier: Apache-2.0
#include "serve/case.h"

#include "base/exacttext.h"
#include "base/fromword.h"
#include "base/isotime.h"
#include "base/safetext.h"

#include <QCryptographicHash>

#include <array>

namespace lockkeeper::serve {

namespace {

const auto targetField = QStringLiteral("target");
const auto nodeField = QStringLiteral("node");
const auto whatField = QStringLiteral("what");
const auto begunField = QStringLiteral("begun_at");
const auto nthField = QStringLiteral("nth");
const auto atField = QStringLiteral("at");
const auto phaseField = QStringLiteral("phase");
const auto cutField = QStringLiteral("lock_cut");
const auto lockField = QStringLiteral("lock");
const auto lockBytesField = QStringLiteral("lock_base64");
const auto holderField = QStringLiteral("holder");
const auto clientField = QStringLiteral("client");
const auto diagnosisField = QStringLiteral("diagnosis");
const auto certaintyField = QStringLiteral("certainty");
const auto limitField = QStringLiteral("limit_ms");
const auto waitersField = QStringLiteral("waiters");
const auto notWatchedWord = QStringLiteral("not_watched");

QString whatOf(const Case& subject) {
    return subject.notice ? wordFor(subject.notice->kind) : notWatchedWord;
}

// Parts of any bytes, such that no two lists of parts have the same hash.
QByteArray hashOf(std::initializer_list<QByteArray> parts) {
    constexpr qsizetype digits = 32;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QByteArray& part : parts) {
        hash.addData(QByteArray::number(part.size()) + ':');
        hash.addData(part);
    }
    return hash.result().toHex().first(digits);
}

QByteArray wordOf(NoticeChange::Phase phase) {
    switch (phase) {
        case NoticeChange::Phase::Begun:
            return "begun";
        case NoticeChange::Phase::Ended:
            return "ended";
        case NoticeChange::Phase::Happened:
            return "happened";
    }
    return {};
}

void addNotice(QJsonObject& object, const monitor::NoticeFacts& notice) {
    if (notice.holder)
        object.insert(holderField, notice.holder->display());
    if (notice.client)
        object.insert(clientField, QString::fromLatin1(notice.client->bytes()));
    if (notice.diagnosis) {
        object.insert(diagnosisField, wordFor(*notice.diagnosis));
        object.insert(certaintyField, wordFor(notice.certainty));
    }
    if (notice.limit > Milliseconds(0))
        object.insert(limitField, static_cast<qint64>(notice.limit.count()));
    if (notice.kind == monitor::NoticeKind::ManyWaiters)
        object.insert(waitersField, notice.waiters);
}

QJsonObject subjectOf(const Case& subject) {
    QJsonObject object{{targetField, subject.target}, {whatField, whatOf(subject)}};
    if (!subject.node.isEmpty())
        object.insert(nodeField, subject.node);
    if (subject.notice)
        addNotice(object, *subject.notice);
    return object;
}

std::optional<monitor::NoticeFacts> noticeFrom(const QJsonObject& object) {
    const std::optional<monitor::NoticeKind> kind = fromWord<monitor::NoticeKind>(object.value(whatField).toString());
    if (!kind)
        return std::nullopt;
    monitor::NoticeFacts notice;
    notice.kind = *kind;
    notice.lock = object.contains(lockBytesField)
                      ? LockName(QByteArray::fromBase64(object.value(lockBytesField).toString().toLatin1()))
                      : LockName(object.value(lockField).toString().toUtf8());
    if (object.contains(holderField))
        notice.holder = HolderId::parseAny(object.value(holderField).toString().toLatin1());
    if (object.contains(clientField))
        notice.client = ClientId(object.value(clientField).toString().toLatin1());
    notice.diagnosis = fromWord<monitor::DiagnosisKind>(object.value(diagnosisField).toString());
    notice.certainty =
        fromWord<monitor::Certainty>(object.value(certaintyField).toString()).value_or(monitor::Certainty::Suspected);
    notice.limit = Milliseconds(object.value(limitField).toInteger());
    notice.waiters = object.value(waitersField).toInteger();
    return notice;
}

}  // namespace

QByteArray Case::root() const {
    if (!notice)
        return hashOf({target.toUtf8(), whatOf(*this).toLatin1(), node.toUtf8()});
    const QByteArray about = notice->client ? notice->client->bytes() : notice->lock.bytes();
    return hashOf({target.toUtf8(), whatOf(*this).toLatin1(), notice->client ? "client" : "lock", about,
                   notice->diagnosis ? wordFor(*notice->diagnosis).toLatin1() : QByteArray(),
                   QByteArray::number(static_cast<qint64>(notice->limit.count()))});
}

qint64 Case::minute() const {
    return static_cast<qint64>(std::chrono::round<std::chrono::minutes>(begunAt.time_since_epoch()).count());
}

QByteArray Case::beginKey() const {
    return hashOf({root(), QByteArray::number(minute()), QByteArray::number(nth)});
}

QByteArray Case::key() const {
    return notice && notice->kind == monitor::NoticeKind::Lost ? beginKey() : root();
}

QByteArray CaseEvent::id() const {
    return hashOf({subject.beginKey(), wordOf(phase)});
}

QJsonObject toJson(const Case& subject) {
    QJsonObject object = subjectOf(subject);
    object.insert(begunField, isoTime(subject.begunAt));
    if (subject.nth > 0)
        object.insert(nthField, subject.nth);
    if (subject.notice)
        object.insert(lockBytesField, QString::fromLatin1(subject.notice->lock.bytes().toBase64()));
    return object;
}

std::optional<Case> caseFrom(const QJsonObject& object) {
    const QString time = object.value(object.contains(begunField) ? begunField : atField).toString();
    const std::optional<WallTime> begun = timeFromIso(time);
    const QString what = object.value(whatField).toString();
    Case subject{object.value(targetField).toString(),
                 noticeFrom(object),
                 object.value(nodeField).toString(),
                 {},
                 object.value(nthField).toInt()};
    if (!begun || subject.target.isEmpty() || object.contains(cutField) || (!subject.notice && what != notWatchedWord))
        return std::nullopt;
    subject.begunAt = *begun;
    return subject;
}

std::optional<CaseEvent> caseEventFrom(const QJsonObject& object) {
    const std::optional<Case> subject = caseFrom(object);
    const std::optional<WallTime> at = timeFromIso(object.value(atField).toString());
    if (!subject || !at)
        return std::nullopt;
    for (const auto phase : {NoticeChange::Phase::Begun, NoticeChange::Phase::Ended, NoticeChange::Phase::Happened}) {
        if (object.value(phaseField).toString().toLatin1() == wordOf(phase))
            return CaseEvent{phase, *subject, *at, false};
    }
    return std::nullopt;
}

QJsonObject toJson(const CaseEvent& event, const QString& text) {
    QJsonObject object = subjectOf(event.subject);
    object.insert(QStringLiteral("id"), QString::fromLatin1(event.id()));
    object.insert(QStringLiteral("case"), QString::fromLatin1(event.subject.key()));
    object.insert(phaseField, QString::fromLatin1(wordOf(event.phase)));
    object.insert(atField, isoTime(event.at));
    object.insert(QStringLiteral("text"), text);
    if (event.phase == NoticeChange::Phase::Ended)
        object.insert(begunField, isoTime(event.subject.begunAt));
    if (event.subject.nth > 0)
        object.insert(nthField, event.subject.nth);
    if (event.inferred)
        object.insert(QStringLiteral("inferred"), true);
    if (!event.subject.notice)
        return object;
    const LockName& lock = event.subject.notice->lock;
    const bool isLong = lock.bytes().size() > longestBoundedName;
    const std::optional<QString> exact = isLong ? std::nullopt : exactText(lock.bytes());
    object.insert(lockField, exact.value_or(boundedName(lock)));
    if (!exact && !isLong)
        object.insert(lockBytesField, QString::fromLatin1(lock.bytes().toBase64()));
    if (isLong)
        object.insert(cutField, true);
    return object;
}

}  // namespace lockkeeper::serve
