// SPDX-License-Identifier: Apache-2.0
#include "ui/retention/retentioncontroller.h"

#include "ui/message/messagebar.h"
#include "ui/retention/retentiondialog.h"
#include "ui/settings/historypage.h"
#include "ui/words/causetext.h"

#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto daysKey = QStringLiteral("history/days");
const auto rowsKey = QStringLiteral("history/rows");
constexpr qint64 hoursInDay = 24;

}  // namespace

history::Retention retentionFrom(const QSettings& settings) {
    history::Retention retention;
    const qint64 days = settings.value(daysKey, qint64{retention.age.count()} / hoursInDay).toLongLong();
    retention.age = std::chrono::hours(std::max(days, qint64{0}) * hoursInDay);
    retention.rows = std::max(settings.value(rowsKey, retention.rows).toLongLong(), qint64{0});
    return retention;
}

void saveRetention(QSettings& settings, const history::Retention& retention) {
    settings.setValue(daysKey, qint64{retention.age.count()} / hoursInDay);
    settings.setValue(rowsKey, retention.rows);
}

RetentionController::RetentionController(Engine& engine, MessageBar& messages, QSettings& settings, QWidget& window)
    : QObject(&window), m_engine(engine), m_messages(messages), m_settings(settings), m_window(window) {
    connect(&m_engine, &Engine::historyForgotten, this, &RetentionController::reportForgotten);
}

void RetentionController::open() {
    if (m_dialog)
        return;
    m_dialog = new RetentionDialog(retentionFrom(m_settings), m_server, &m_window);
    m_dialog->setObjectName(QStringLiteral("retentionDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &RetentionDialog::retentionChosen, this, &RetentionController::keep);
    connect(m_dialog, &RetentionDialog::forgetWanted, this, [this, profile = m_profile, server = m_server] { forget(profile, server); });
    m_dialog->open();
}

HistoryPage* RetentionController::makePage(QWidget* parent) {
    auto* page = new HistoryPage(retentionFrom(m_settings), m_server, parent);
    connect(page, &HistoryPage::retentionChosen, this, &RetentionController::keep);
    connect(page, &HistoryPage::forgetWanted, this, [this, profile = m_profile, server = m_server] { forget(profile, server); });
    return page;
}

void RetentionController::keep(const history::Retention& retention) {
    saveRetention(m_settings, retention);
    m_engine.setRetention(retention);
}

void RetentionController::setProfile(const profile::ProfileId& profile, const QString& server) {
    m_profile = profile;
    m_server = profile.isEmpty() ? QString() : server;
}

void RetentionController::forget(const profile::ProfileId& profile, const QString& server) {
    m_forgetting.insert(static_cast<quint64>(m_engine.forgetHistory(profile)), server);
}

void RetentionController::reportForgotten(OperationId operation, const std::optional<Error>& error) {
    const auto server = m_forgetting.constFind(static_cast<quint64>(operation));
    if (server == m_forgetting.cend())
        return;
    m_messages.post([server = *server, error] {
        return error ? Message{Tone::Danger, tr("The history of %1 is not deleted, or not all of it: %2")
                                                 .arg(server, reasonText(*error))}
                     : Message{Tone::Good, tr("The history of %1 is deleted.").arg(server)};
    });
    m_forgetting.erase(server);
}

}  // namespace lockkeeper::ui

#include "moc_retentioncontroller.cpp"
