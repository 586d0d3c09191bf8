// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/busnotifier.h"

#include <QDBusConnection>
#include <QDBusError>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QVariantMap>

namespace lockkeeper::ui {

namespace {

const auto service = QStringLiteral("org.freedesktop.Notifications");
constexpr int byItsOwnTime = -1;  // the desktop decides how long a notification is shown

// Connecting to a missing bus may start one, and block the window meanwhile.
bool hasSessionBus() {
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

QDBusPendingCall call(const QString& method, const QVariantList& arguments) {
    QDBusMessage message =
        QDBusMessage::createMethodCall(service, QStringLiteral("/org/freedesktop/Notifications"), service, method);
    message.setArguments(arguments);
    return QDBusConnection::sessionBus().asyncCall(message);
}

Error busError(const QDBusError& error) {
    return Error(ErrorCode::ConnectionLost, error.message());
}

}  // namespace

void BusNotifier::probe() {
    m_markup = Markup::NotAsked;
    learnMarkup([this](const std::optional<Error>& problem) { Q_EMIT probed(problem); });
}

void BusNotifier::show(const QString& title, const QString& text) {
    if (m_markup != Markup::NotAsked) {
        send(title, text);
        return;
    }
    learnMarkup([this, title, text](const std::optional<Error>& problem) {
        if (problem)
            Q_EMIT failed(*problem);
        else
            send(title, text);
    });
}

const CauseTable& causeTable(DesktopCause) {
    static constexpr CauseTable table{
        [](int, qsizetype) { return QT_TRANSLATE_NOOP("CauseText", "there is no session bus"); }};
    return table;
}

// Anybody may name a lock. If the service understands markup, it gets the text escaped.
void BusNotifier::learnMarkup(std::function<void(const std::optional<Error>& problem)> done) {
    if (!hasSessionBus()) {
        done(Error(ErrorCode::ConnectionLost, DesktopCause::NoSessionBus));
        return;
    }
    auto* watcher = new QDBusPendingCallWatcher(call(QStringLiteral("GetCapabilities"), {}), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, done = std::move(done)] {
        watcher->deleteLater();
        const QDBusPendingReply<QStringList> reply = *watcher;
        if (reply.isValid())
            m_markup = reply.value().contains(QStringLiteral("body-markup")) ? Markup::Understood : Markup::None;
        done(reply.isValid() ? std::nullopt : std::optional(busError(reply.error())));
    });
}

void BusNotifier::send(const QString& title, const QString& text) {
    const QString body = m_markup == Markup::Understood ? text.toHtmlEscaped() : text;
    auto* watcher = new QDBusPendingCallWatcher(
        call(QStringLiteral("Notify"), {QStringLiteral("Lockkeeper"), m_last, QString(), title, body, QStringList(),
                                        QVariantMap(), byItsOwnTime}),
        this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<uint> reply = *watcher;
        if (reply.isValid())
            m_last = reply.value();
        else
            Q_EMIT failed(busError(reply.error()));
    });
}

}  // namespace lockkeeper::ui

#include "moc_busnotifier.cpp"
