// SPDX-License-Identifier: Apache-2.0
#include "ui/window/connectioncontroller.h"

#include "profile/savedsecrets.h"
#include "ui/base/messagebar.h"
#include "ui/connections/connectdialog.h"
#include "ui/connections/sshquestioncontroller.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"
#include "ui/words/causetext.h"

namespace lockkeeper::ui {

ConnectionController::ConnectionController(Engine& engine, QSettings& settings, profile::ProfileStore& profiles,
                                           const Clock& clock, MainWindow& window)
    : QObject(&window), m_engine(engine), m_window(window), m_known(settings, profiles, clock), m_test(engine) {
    connect(&m_known, &KnownConnections::failed, this, &ConnectionController::reportFileFailure);
    connect(&m_known, &KnownConnections::changed, this, &ConnectionController::relabelPages);
    const auto mayKeep = [this](const profile::ProfileId& id) {
        const std::optional<profile::StoredProfile> stored = m_known.find(id);
        return stored && stored->secrets == profile::StoredProfile::Secrets::InKeychain;
    };
    const auto* questions = new SshQuestionController(engine, m_secrets, mayKeep, window);
    connect(questions, &SshQuestionController::keychainFailed, this,
            [this](const Error& error) { reportKeychainFailure(error); });
}

void ConnectionController::openDialog(SessionPage* page) {
    if (m_dialog)
        return;
    m_page = page;
    makeDialog();
    const auto* profile = page ? std::get_if<profile::ConnectionProfile>(&page->target()) : nullptr;
    const std::optional<profile::StoredProfile> saved = profile ? m_known.find(profile->id) : std::nullopt;
    if (saved)
        m_dialog->setStored(*saved);
    else if (profile)
        m_dialog->setProfile(*profile);
    m_dialog->open();
}

void ConnectionController::makeDialog() {
    m_dialog = new ConnectDialog(m_known, m_secrets, m_engine.files(), &m_window);
    m_dialog->setObjectName(QStringLiteral("connectDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &ConnectDialog::connectRequested, this, &ConnectionController::connectTo);
    connect(m_dialog, &ConnectDialog::connectCancelled, this, &ConnectionController::cancel);
    connect(
        m_dialog, &ConnectDialog::keepPasswordWanted, this,
        [this](const profile::SecretKey& key, const QByteArray& password) {
            m_secrets.store(key, password).then([this](const Result<Done>& stored) { reportKeychainFailure(stored); });
        });
    connect(m_dialog, &ConnectDialog::forgetPasswordWanted, this, [this](const profile::SecretKey& key) {
        m_secrets.forget(key).then([this](const Result<Done>& forgotten) { reportKeychainFailure(forgotten); });
    });
    followTests();
}

// A test connection has no id, so it keeps no history.
void ConnectionController::followTests() {
    connect(m_dialog, &ConnectDialog::testRequested, this, [this](profile::ConnectionProfile profile) {
        profile.id = {};
        m_test.connectTo(profile, {});
    });
    connect(m_dialog, &ConnectDialog::testEnded, this, [this] { m_test.disconnectFromServer(); });
    m_test.onReport<ConnectionStatus>(m_dialog.get(), &ConnectDialog::followTest);
}

void ConnectionController::open(const profile::StoredProfile& stored) {
    if (stored.secrets == profile::StoredProfile::Secrets::AskedEachTime)
        return edit(stored);
    const profile::ProfileId id = stored.profile.id;
    if (m_opening.contains(id))
        return;
    m_opening.insert(id);
    const auto connectIt = [this, id, label = stored.label](const Result<profile::ConnectionProfile>& complete) {
        m_opening.remove(id);
        SessionPage& page = m_window.pageForConnection();
        page.connectTo(*complete, label);
        m_known.add(*complete);
    };
    profile::withSecrets(m_secrets, stored.profile).then(connectIt);
}

void ConnectionController::edit(const profile::StoredProfile& stored) {
    if (m_dialog)
        return;
    m_page = nullptr;
    makeDialog();
    m_dialog->setStored(stored);
    m_dialog->open();
}

void ConnectionController::duplicate(const profile::StoredProfile& stored) {
    profile::StoredProfile copy = stored;
    copy.profile.id = profile::ProfileStore::newId();
    copy.lastUsed.reset();
    copy.label.name = tr("%1 (copy)").arg(stored.label.name);
    for (int i = 2; m_known.isNameTaken(copy.label.name, copy.profile.id); ++i)
        copy.label.name = tr("%1 (copy %2)").arg(stored.label.name).arg(i);
    (void)m_known.save(copy);
}

void ConnectionController::remove(const profile::StoredProfile& stored) {
    m_known.remove(stored.profile.id);
    for (const auto keyOf : {profile::SecretKey::passwordOf, profile::SecretKey::keyPassphraseOf,
                             profile::SecretKey::sentinelPasswordOf, profile::SecretKey::writingPasswordOf})
        m_secrets.forget(keyOf(stored.profile)).then([this](const Result<Done>& done) { reportKeychainFailure(done); });
    m_secrets.forget(profile::SecretKey::sshAnswerOf(stored.profile.id)).then([this](const Result<Done>& done) {
        reportKeychainFailure(done);
    });
}

void ConnectionController::showPhases() {
    QHash<profile::ProfileId, ConnectionPhase> phases;
    for (const SessionPage* page : m_window.pages()) {
        const auto* profile = std::get_if<profile::ConnectionProfile>(&page->target());
        const ConnectionStatus& status = page->status();
        if (profile && status.phase != ConnectionPhase::Disconnected)
            phases.insert(profile->id, status.watchesNothing ? ConnectionPhase::Reconnecting : status.phase);
    }
    m_known.setPhases(phases);
}

// A connection that is called production from now on is treated as such where it is open.
void ConnectionController::relabelPages() {
    for (SessionPage* page : m_window.pages()) {
        const auto* profile = std::get_if<profile::ConnectionProfile>(&page->target());
        if (const std::optional<profile::StoredProfile> saved = profile ? m_known.find(profile->id) : std::nullopt)
            page->setLabel(saved->label);
    }
}

void ConnectionController::openRedissonFile(const QString& path) {
    openDialog(nullptr);
    m_dialog->openRedissonFile(path);
}

void ConnectionController::askForRedissonFile() {
    openDialog(nullptr);
    m_dialog->askForRedissonFile();
}

void ConnectionController::connectTo(const profile::ConnectionProfile& profile) {
    SessionPage& page = m_page && m_page->isEnabled() ? *m_page : m_window.pageForConnection();
    m_page = &page;
    page.connectTo(profile, m_dialog->label());
    // Must come after connectTo(): until then the page reports on the connection before.
    follow(page);
}

void ConnectionController::follow(SessionPage& page) {
    QObject::disconnect(m_attempt);
    m_attempt = connect(&page, &SessionPage::statusChanged, m_dialog,
                        [this](const ConnectionStatus& status) { m_dialog->follow(status); });
}

void ConnectionController::cancel() {
    if (m_page)
        m_page->disconnectFromServer();
}

// The jobs of the store end with it, and the store ends with this controller.
void ConnectionController::reportKeychainFailure(const Result<Done>& result) {
    if (result)
        return;
    m_window.messages().post([error = result.error()] {
        return Message{Tone::Warning, tr("The keychain refused the change: %1").arg(reasonText(error))};
    });
}

void ConnectionController::reportFileFailure(const Error& error) {
    m_window.messages().post([error] {
        return Message{Tone::Warning, tr("Problem with the list of connections: %1.").arg(reasonText(error))};
    });
}

}  // namespace lockkeeper::ui

#include "moc_connectioncontroller.cpp"
