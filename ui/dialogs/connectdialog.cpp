// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/connectdialog.h"

#include "ui/dialogs/growtofit.h"
#include "ui/dialogs/recentservers.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/message/inlinemessage.h"
#include "ui/words/causetext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

ConnectDialog::ConnectDialog(RecentServers& recent, profile::SecretStore& secrets, QWidget* parent)
    : QDialog(parent),
      m_recent(recent),
      m_secrets(secrets),
      m_urlCaption(plainLabel(this)),
      m_userCaption(plainLabel(this)),
      m_passwordCaption(plainLabel(this)),
      m_examples(plainLabel(this)),
      m_url(new QComboBox(this)),
      m_user(new QLineEdit(this)),
      m_password(new QLineEdit(this)),
      m_keep(new QCheckBox(this)),
      m_readOnly(new QCheckBox(this)),
      m_message(new InlineMessage(this)),
      m_connect(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    makeFields();
    makeLayout();
    connect(m_connect, &QPushButton::clicked, this, &ConnectDialog::startConnecting);
    connect(m_cancel, &QPushButton::clicked, this, &ConnectDialog::reject);
    connect(m_url->lineEdit(), &QLineEdit::editingFinished, this, &ConnectDialog::hidePassword);
    connect(m_url->lineEdit(), &QLineEdit::editingFinished, this, &ConnectDialog::lookUpPassword);
    connect(m_url, &QComboBox::activated, this, &ConnectDialog::lookUpPassword);
    connect(m_url, &QComboBox::editTextChanged, this, &ConnectDialog::clearMessage);
    // The message is about the password before.
    for (const QLineEdit* field : {m_user, m_password})
        connect(field, &QLineEdit::textEdited, this, &ConnectDialog::clearMessage);
    keepTranslated(*this, [this] { retranslate(); });
    setState(State::Editing);
    lookUpPassword();
}

void ConnectDialog::retranslate() {
    setWindowTitle(tr("Connect to a server"));
    m_urlCaption->setText(tr("&Address:"));
    m_url->setAccessibleName(tr("Address of the server"));
    m_examples->setText(tr("Examples:\n%1")
                            .arg(QStringLiteral("redis://redis.example.com:6379/0\n"
                                                "rediss://redis.example.com:6380?ca=/etc/ssl/our-ca.pem\n"
                                                "redis-sentinel://s1.example.com,s2.example.com/mymaster\n"
                                                "redis://10.0.0.5:6379?ssh=me@jump.example.com\n"
                                                "redis+unix:///run/redis/redis.sock")));
    m_userCaption->setText(tr("&User:"));
    m_user->setPlaceholderText(tr("the server's default user"));
    m_user->setAccessibleName(tr("User name"));
    m_passwordCaption->setText(tr("&Password:"));
    m_password->setPlaceholderText(tr("none"));
    m_password->setAccessibleName(tr("Password"));
    m_keep->setText(tr("&Keep the password in the system's keychain"));
    m_readOnly->setText(tr("&Read-only: no command that writes can be sent"));
    m_connect->setText(tr("&Connect"));
    m_cancel->setText(tr("Cancel"));
    showMessage();
}

// A field that has the focus reports the end of editing while it is destroyed, and then this is no ConnectDialog any more.
ConnectDialog::~ConnectDialog() {
    for (QObject* field : std::initializer_list<QObject*>{m_url, m_url->lineEdit(), m_user, m_password})
        field->disconnect(this);
}

void ConnectDialog::makeFields() {
    m_url->setObjectName(QStringLiteral("connectUrl"));
    m_url->setEditable(true);
    m_url->setInsertPolicy(QComboBox::NoInsert);
    m_url->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_url->addItems(m_recent.urls());
    m_url->lineEdit()->setPlaceholderText(QStringLiteral("redis://127.0.0.1:6379"));
    m_user->setObjectName(QStringLiteral("connectUser"));
    m_password->setObjectName(QStringLiteral("connectPassword"));
    m_password->setEchoMode(QLineEdit::Password);
    m_keep->setObjectName(QStringLiteral("connectKeepPassword"));
    m_readOnly->setObjectName(QStringLiteral("connectReadOnly"));
    m_message->setObjectName(QStringLiteral("connectMessage"));
    m_connect->setObjectName(QStringLiteral("connectButton"));
    m_connect->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("connectCancel"));
}

void ConnectDialog::makeLayout() {
    m_examples->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_examples->setForegroundRole(QPalette::PlaceholderText);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(m_urlCaption, m_url);
    form->addRow(QString(), m_examples);
    form->addRow(m_userCaption, m_user);
    form->addRow(m_passwordCaption, m_password);
    m_urlCaption->setBuddy(m_url);
    m_userCaption->setBuddy(m_user);
    m_passwordCaption->setBuddy(m_password);
    form->addRow(QString(), m_keep);
    form->addRow(QString(), m_readOnly);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_connect, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addLayout(form);
    layout->addWidget(m_message);
    layout->addStretch(1);
    layout->addWidget(buttons);
}

void ConnectDialog::setProfile(const profile::ConnectionProfile& profile) {
    m_url->setEditText(profile.urlWithoutPassword());
    m_user->setText(QString::fromUtf8(profile.credentials.user));
    m_readOnly->setChecked(profile.access == redis::AccessMode::ReadOnly);
    lookUpPassword();
}

void ConnectDialog::startConnecting() {
    hidePassword();
    const Result<profile::ConnectionProfile> profile = entered();
    if (!profile) {
        m_subject = profile.error();
        showMessage();
        m_url->setFocus();
        return;
    }
    m_requested = *profile;
    m_requested.credentials.password.clear();
    setState(State::Requested);
    ConnectionStatus connecting;
    connecting.phase = ConnectionPhase::Connecting;
    connecting.server = profile->display();
    m_subject = connecting;
    showMessage();
    Q_EMIT connectRequested(*profile);
}

void ConnectDialog::follow(const ConnectionStatus& status) {
    if (m_state == State::Requested && status.phase == ConnectionPhase::Connecting)
        m_state = State::Connecting;
    if (m_state != State::Connecting)
        return;
    if (status.phase == ConnectionPhase::Connected) {
        m_recent.add(m_requested);
        sayWhatToKeep();
        accept();
    } else if (status.phase == ConnectionPhase::Failed) {
        setState(State::Editing);
        m_subject = status;
        showMessage();
    }
}

void ConnectDialog::showMessage() {
    m_message->setMessage(message());
    growToFit(*this);
}

void ConnectDialog::clearMessage() {
    m_subject = std::monostate();
    m_message->setMessage({});
}

Message ConnectDialog::message() const {
    if (const auto* error = std::get_if<Error>(&m_subject))
        return {Tone::Danger, urlErrorText(*error)};
    const auto* status = std::get_if<ConnectionStatus>(&m_subject);
    if (!status)
        return {};
    if (status->phase == ConnectionPhase::Connecting)
        return {Tone::Info, tr("Connecting to %1 …").arg(status->server)};
    const Explanation explanation = connectionExplanation(status->error.value_or(Error()), status->server);
    return {Tone::Danger, explanation.what + QLatin1Char('\n') + explanation.todo};
}

void ConnectDialog::reject() {
    if (m_state != State::Editing)
        Q_EMIT connectCancelled();
    QDialog::reject();
}

void ConnectDialog::setState(State state) {
    m_state = state;
    const bool editing = state == State::Editing;
    for (QWidget* field : std::initializer_list<QWidget*>{m_url, m_user, m_password, m_keep, m_readOnly, m_connect})
        field->setEnabled(editing);
    if (editing)
        m_url->setFocus();
    else
        m_cancel->setFocus();
}

void ConnectDialog::hidePassword() {
    const Result<profile::ConnectionProfile> profile =
        profile::ConnectionProfile::fromUrl(m_url->currentText().trimmed());
    if (!profile || profile->credentials.password.isEmpty())
        return;
    m_password->setText(QString::fromUtf8(profile->credentials.password));
    m_user->setText(QString::fromUtf8(profile->credentials.user));
    m_url->setEditText(profile->urlWithoutPassword());
}

void ConnectDialog::lookUpPassword() {
    const Result<profile::ConnectionProfile> profile = entered();
    if (!profile || !m_password->text().isEmpty())
        return;
    const auto takeOver = [this, alive = QPointer(this),
                           id = profile->id](const Result<profile::SecretStore::Secret>& kept) {
        // Without a keychain the password is typed, as if none had been kept.
        const bool wanted = alive && kept && *kept && m_state == State::Editing && m_password->text().isEmpty();
        const Result<profile::ConnectionProfile> now = wanted ? entered() : Error();
        if (!now || now->id != id)
            return;
        m_password->setText(QString::fromUtf8(**kept));
        m_keep->setChecked(true);
        m_keptFor = id;
    };
    m_secrets.read(profile::SecretKey::passwordOf(*profile)).then(takeOver);
}

void ConnectDialog::sayWhatToKeep() {
    const profile::SecretKey key = profile::SecretKey::passwordOf(m_requested);
    if (m_keep->isChecked() && !m_password->text().isEmpty())
        Q_EMIT keepPasswordWanted(key, m_password->text().toUtf8());
    else if (m_keptFor == m_requested.id)
        Q_EMIT forgetPasswordWanted(key);
}

Result<profile::ConnectionProfile> ConnectDialog::entered() const {
    const QString typed = m_url->currentText().trimmed();
    const QString url = typed.isEmpty() ? m_url->lineEdit()->placeholderText() : typed;
    Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(url);
    if (!profile)
        return profile;
    if (!m_user->text().isEmpty())
        profile.value().credentials.user = m_user->text().toUtf8();
    profile.value().id = profile->addressId();
    if (!m_password->text().isEmpty())
        profile.value().credentials.password = m_password->text().toUtf8();
    profile.value().access = m_readOnly->isChecked() ? redis::AccessMode::ReadOnly : redis::AccessMode::ReadWrite;
    return profile;
}

}  // namespace lockkeeper::ui

#include "moc_connectdialog.cpp"
