// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectdialog.h"

#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/addressfields.h"
#include "ui/connections/dumpfields.h"
#include "ui/connections/knownconnections.h"
#include "ui/connections/lockfields.h"
#include "ui/connections/savedfields.h"
#include "ui/connections/secretfields.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

// The order in which Tab visits the fields, whenever they were made.
void keepOrderOfRows(const QFormLayout& form) {
    QWidget* before = nullptr;
    for (int row = 0; row < form.rowCount(); ++row) {
        QWidget* field = form.itemAt(row, QFormLayout::FieldRole)->widget();
        if (before)
            QWidget::setTabOrder(before, field);
        if (field->focusPolicy() & Qt::TabFocus)
            before = field;
    }
}

}  // namespace

ConnectDialog::ConnectDialog(KnownConnections& known, profile::SecretStore& secrets, FileThread& files, QWidget* parent)
    : FittedDialog(parent),
      m_known(known),
      m_form(new QFormLayout),
      m_writerCaption(plainLabel(this)),
      m_writer(new QLineEdit(this)),
      m_file(*this, files),
      m_keep(new QCheckBox(this)),
      m_readOnly(new QCheckBox(this)),
      m_locks(new LockFields(this)),
      m_dumps(new DumpFields(this)),
      m_saved(new SavedFields(known.groups(), this)),
      m_message(new InlineMessage(this)),
      m_redisson(new QPushButton(this)),
      m_test(new QPushButton(this)),
      m_save(new QPushButton(this)),
      m_connect(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    m_edited.profile.id = profile::ProfileStore::newId();
    makeFields();
    makeLayout(secrets);
    connect(m_redisson, &QPushButton::clicked, this, &ConnectDialog::askForRedissonFile);
    connect(&m_file, &RedissonFile::done, this, &ConnectDialog::useFile);
    connect(m_test, &QPushButton::clicked, this, &ConnectDialog::startTest);
    connect(m_save, &QPushButton::clicked, this, &ConnectDialog::save);
    connect(m_locks, &LockFields::edited, this, &ConnectDialog::clearMessage);
    connect(m_locks, &LockFields::folded, this, &ConnectDialog::shrinkToFit);
    connect(m_dumps, &DumpFields::edited, this, &ConnectDialog::clearMessage);
    connect(m_dumps, &DumpFields::edited, this, &ConnectDialog::showSecretFields);
    connect(m_dumps, &DumpFields::folded, this, &ConnectDialog::shrinkToFit);
    connect(m_saved, &SavedFields::nameEdited, this, &ConnectDialog::clearMessage);
    connect(m_saved, &SavedFields::asksForSecretsChanged, m_keep, &QWidget::setDisabled);
    connect(m_connect, &QPushButton::clicked, this, &ConnectDialog::startConnecting);
    connect(m_cancel, &QPushButton::clicked, this, &ConnectDialog::reject);
    connect(m_address, &AddressFields::addressEntered, this, &ConnectDialog::hidePassword);
    connect(m_address, &AddressFields::addressEntered, this, &ConnectDialog::lookUpSecrets);
    connect(m_address, &AddressFields::addressChanged, this, &ConnectDialog::showSecretFields);
    // The message is about the address or the password as they were before.
    connect(m_address, &AddressFields::edited, this, &ConnectDialog::clearMessage);
    connect(m_writer, &QLineEdit::textEdited, this, &ConnectDialog::clearMessage);
    connect(m_writer, &QLineEdit::textChanged, this, &ConnectDialog::showSecretFields);
    connect(m_readOnly, &QCheckBox::toggled, this, &ConnectDialog::showSecretFields);
    connect(m_secrets, &SecretFields::edited, this, &ConnectDialog::clearMessage);
    connect(m_secrets, &SecretFields::found, this, [this] { m_keep->setChecked(true); });
    keepTranslated(*this, [this] { retranslate(); });
    setState(State::Editing);
    showSecretFields();
    lookUpSecrets();
}

void ConnectDialog::retranslate() {
    setWindowTitle(tr("Connect to a server"));
    m_writerCaption->setText(tr("User who &writes:"));
    m_writer->setPlaceholderText(tr("the same; only while the connection is armed"));
    m_writer->setAccessibleName(tr("User of the connection that writes"));
    m_keep->setText(tr("&Keep the password in the system's keychain"));
    m_readOnly->setText(tr("Never w&rites: it is always read-only and cannot be armed"));
    m_redisson->setText(tr("From a &file…"));
    m_test->setText(tr("Te&st"));
    m_save->setText(tr("Sa&ve"));
    m_connect->setText(tr("&Connect"));
    m_cancel->setText(tr("Cancel"));
    showMessage();
}

// A field that has the focus reports the end of editing while it is destroyed. Then this is no longer a
// ConnectDialog.
ConnectDialog::~ConnectDialog() {
    m_address->disconnect(this);
    m_writer->disconnect(this);
}

void ConnectDialog::makeFields() {
    m_writer->setObjectName(QStringLiteral("connectWriter"));
    m_redisson->setObjectName(QStringLiteral("connectRedisson"));
    m_test->setObjectName(QStringLiteral("connectTest"));
    m_save->setObjectName(QStringLiteral("connectSave"));
    for (QPushButton* button : {m_redisson, m_test, m_save})
        button->setAutoDefault(false);
    m_keep->setObjectName(QStringLiteral("connectKeepPassword"));
    m_readOnly->setObjectName(QStringLiteral("connectReadOnly"));
    m_message->setObjectName(QStringLiteral("connectMessage"));
    m_connect->setObjectName(QStringLiteral("connectButton"));
    m_connect->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("connectCancel"));
}

void ConnectDialog::makeLayout(profile::SecretStore& secrets) {
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_address = new AddressFields(m_known.recentUrls(), *m_form, *this);
    m_secrets = new SecretFields(secrets, *m_form, *this);
    constexpr int afterWriter = 2;  // the passwords of the writer and for thread dumps
    m_form->insertRow(m_form->rowCount() - afterWriter, m_writerCaption, m_writer);
    m_writerCaption->setBuddy(m_writer);
    m_form->addRow(QString(), m_keep);
    m_form->addRow(QString(), m_readOnly);
    keepOrderOfRows(*m_form);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_redisson, QDialogButtonBox::ActionRole);
    buttons->addButton(m_test, QDialogButtonBox::ActionRole);
    buttons->addButton(m_save, QDialogButtonBox::ApplyRole);
    buttons->addButton(m_connect, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    auto* fields = new QVBoxLayout;
    fields->setSpacing(8);
    fields->addLayout(m_form);
    fields->addWidget(m_locks);
    fields->addWidget(m_dumps);
    fields->addWidget(m_saved);
    fields->addStretch(1);
    setContent(fields, {m_message, buttons});
}

void ConnectDialog::setProfile(const profile::ConnectionProfile& profile) {
    profile::ConnectionProfile shown = profile;
    m_locks->take(shown.locks);
    m_dumps->set(shown.dumps);
    m_address->set(shown);
    m_writer->setText(QString::fromUtf8(profile.writing.user));
    m_readOnly->setChecked(profile.access == redis::AccessMode::ReadOnly);
    lookUpSecrets();
}

void ConnectDialog::setStored(const profile::StoredProfile& stored) {
    if (stored.isSaved())
        m_edited = stored;
    m_saved->set(stored);
    setProfile(stored.profile);
    if (!stored.isSaved())
        m_saved->focusName();
    else if (m_saved->asksForSecrets())
        m_secrets->focusPassword();
}

profile::ProfileLabel ConnectDialog::label() const {
    return isToBeSaved() ? stored(m_requested).label : profile::ProfileLabel();
}

bool ConnectDialog::isToBeSaved() const {
    return !m_saved->name().isEmpty();
}

profile::StoredProfile ConnectDialog::stored(const profile::ConnectionProfile& profile) const {
    profile::StoredProfile stored = m_edited;
    m_saved->applyTo(stored);
    stored.keeping = profile::StoredProfile::Keeping::Saved;
    stored.profile = profile;
    return stored;
}

std::optional<profile::ConnectionProfile> ConnectDialog::checked() {
    hidePassword();
    if (const Result<profile::ConnectionProfile> typed = entered())
        m_secrets->leaveOthers(*typed);
    const Result<profile::ConnectionProfile> profile = entered();
    const std::optional<Error> mistake = m_dumps->mistake();
    if (profile && !mistake)
        return *profile;
    if (profile) {
        m_subject = ConnectMessage::DumpMistake{*mistake};
        m_dumps->setFocus();
    } else {
        m_subject = profile.error();
        m_address->focus();
    }
    showMessage();
    return std::nullopt;
}

bool ConnectDialog::isNameFree() {
    if (!m_known.isNameTaken(m_saved->name(), m_edited.profile.id))
        return true;
    showMistake(ConnectMessage::Mistake::NameTaken);
    return false;
}

void ConnectDialog::showMistake(ConnectMessage::Mistake mistake) {
    m_subject = mistake;
    showMessage();
    m_saved->focusName();
}

void ConnectDialog::showConnecting(const profile::ConnectionProfile& profile) {
    ConnectionStatus connecting;
    connecting.phase = ConnectionPhase::Connecting;
    connecting.server = profile.display();
    m_subject = connecting;
    showMessage();
}

void ConnectDialog::startConnecting() {
    const std::optional<profile::ConnectionProfile> profile = checked();
    if (!profile || (isToBeSaved() && !isNameFree()))
        return;
    m_requested = profile->withoutSecrets();
    setState(State::Requested);
    showConnecting(*profile);
    Q_EMIT connectRequested(*profile);
}

void ConnectDialog::startTest() {
    const std::optional<profile::ConnectionProfile> profile = checked();
    if (!profile)
        return;
    setState(State::Testing);
    showConnecting(*profile);
    Q_EMIT testRequested(*profile);
}

void ConnectDialog::save() {
    if (!isToBeSaved())
        return showMistake(ConnectMessage::Mistake::NameMissing);
    const std::optional<profile::ConnectionProfile> profile = checked();
    if (!profile || !isNameFree())
        return;
    m_requested = profile->withoutSecrets();
    if (!m_known.save(stored(m_requested)))
        return;
    sayWhatToKeep();
    accept();
}

void ConnectDialog::follow(const ConnectionStatus& status) {
    if (m_state == State::Requested && status.phase == ConnectionPhase::Connecting)
        m_state = State::Connecting;
    if (m_state != State::Connecting)
        return;
    if (status.phase == ConnectionPhase::Connected) {
        if (isToBeSaved())
            (void)m_known.save(stored(m_requested));
        m_known.add(m_requested);
        sayWhatToKeep();
        accept();
    } else if (status.phase == ConnectionPhase::Failed) {
        setState(State::Editing);
        m_subject = status;
        showMessage();
    }
}

void ConnectDialog::followTest(const ConnectionStatus& status) {
    const bool isOver = status.phase == ConnectionPhase::Connected || status.phase == ConnectionPhase::Failed;
    if (m_state != State::Testing || !isOver)
        return;
    setState(State::Editing);
    m_subject = ConnectMessage::Tested{status};
    showMessage();
    Q_EMIT testEnded();
}

void ConnectDialog::showMessage() {
    m_message->setMessage(ConnectMessage::about(m_subject));
}

void ConnectDialog::clearMessage() {
    m_subject = std::monostate();
    m_message->setMessage({});
}

void ConnectDialog::reject() {
    if (m_state == State::Testing)
        Q_EMIT testEnded();
    else if (m_state != State::Editing)
        Q_EMIT connectCancelled();
    FittedDialog::reject();
}

void ConnectDialog::setState(State state) {
    m_state = state;
    const bool editing = state == State::Editing;
    for (QWidget* field : std::initializer_list<QWidget*>{m_writer, m_readOnly, m_locks, m_dumps, m_saved, m_redisson,
                                                          m_test, m_save, m_connect})
        field->setEnabled(editing);
    m_address->setEnabled(editing);
    m_keep->setEnabled(editing && !m_saved->asksForSecrets());
    m_secrets->setEnabled(editing);
    if (editing)
        m_address->focus();
    else
        m_cancel->setFocus();
}

void ConnectDialog::hidePassword() {
    const QByteArray password = m_address->takePassword();
    if (!password.isEmpty())
        m_secrets->setPassword(password);
}

void ConnectDialog::showSecretFields() {
    m_form->setRowVisible(m_writer, !m_readOnly->isChecked());
    m_secrets->showThoseOf(entered());
}

void ConnectDialog::lookUpSecrets() {
    const Result<profile::ConnectionProfile> profile = entered();
    if (profile && !asksForSecrets())
        m_secrets->lookUp(*profile);
}

bool ConnectDialog::asksForSecrets() const {
    return isToBeSaved() && m_saved->asksForSecrets();
}

void ConnectDialog::sayWhatToKeep() {
    const bool isKept = m_keep->isChecked() && !asksForSecrets();
    // The secrets of a saved connection are removed from the keychain, also those that were never filled in.
    const bool isLeft =
        asksForSecrets() && m_edited.isSaved() && m_edited.secrets == profile::StoredProfile::Secrets::InKeychain;
    const QList<SecretFields::Change> changes =
        isLeft ? SecretFields::removals(m_requested) : m_secrets->changes(m_requested, isKept);
    for (const SecretFields::Change& change : changes) {
        if (change.secret.isEmpty())
            Q_EMIT forgetPasswordWanted(change.key);
        else
            Q_EMIT keepPasswordWanted(change.key, change.secret);
    }
}

// ---- a file of Redisson ----

void ConnectDialog::askForRedissonFile() {
    m_file.askForFile();
}

void ConnectDialog::openRedissonFile(const QString& path) {
    m_file.open(path);
}

void ConnectDialog::useFile(const RedissonFile::Reading& reading) {
    if (reading.connection) {
        // The secrets of the file are kept only if the user asks for it.
        m_keep->setChecked(false);
        m_secrets->set(reading.connection->profile);
        // The file does not say whether this program may write.
        profile::ConnectionProfile read = reading.connection->profile;
        read.access = m_readOnly->isChecked() ? redis::AccessMode::ReadOnly : redis::AccessMode::ReadWrite;
        setProfile(read);
    }
    m_subject = reading;
    showMessage();
}

Result<profile::ConnectionProfile> ConnectDialog::entered() const {
    Result<profile::ConnectionProfile> profile = m_address->entered();
    if (!profile)
        return profile;
    profile.value().id = isToBeSaved() ? m_edited.profile.id : profile->addressId();
    if (m_readOnly->isChecked())
        profile.value().access = redis::AccessMode::ReadOnly;
    else
        profile.value().writing.user = m_writer->text().toUtf8();
    m_locks->applyTo(profile.value().locks);
    m_dumps->applyTo(profile.value().dumps);
    m_secrets->applyTo(profile.value());
    return profile;
}

}  // namespace lockkeeper::ui

#include "moc_connectdialog.cpp"
