// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/secretfields.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>

namespace lockkeeper::ui {

namespace {

bool alwaysHasUse(const profile::ConnectionProfile&) {
    return true;
}

bool namesKey(const profile::ConnectionProfile& profile) {
    return profile.namesPrivateKey();
}

bool namesSentinels(const profile::ConnectionProfile& profile) {
    return profile.deployment.sentinels.has_value();
}

bool writesAsAnother(const profile::ConnectionProfile& profile) {
    return !profile.writing.user.isEmpty();
}

bool asksActuator(const profile::ConnectionProfile& profile) {
    return !profile.dumps.credentials.user.isEmpty();
}

}  // namespace

SecretFields::SecretFields(profile::SecretStore& secrets, QFormLayout& form, QWidget& dialog)
    : QObject(&dialog),
      m_secrets(secrets),
      m_form(form),
      m_fields{
          {{plainLabel(&dialog), new QLineEdit(&dialog), profile::SecretKey::passwordOf, alwaysHasUse, {}, {}},
           {plainLabel(&dialog), new QLineEdit(&dialog), profile::SecretKey::keyPassphraseOf, namesKey, {}, {}},
           {plainLabel(&dialog),
            new QLineEdit(&dialog),
            profile::SecretKey::sentinelPasswordOf,
            namesSentinels,
            {},
            {}},
           {plainLabel(&dialog),
            new QLineEdit(&dialog),
            profile::SecretKey::writingPasswordOf,
            writesAsAnother,
            {},
            {}},
           {plainLabel(&dialog), new QLineEdit(&dialog), profile::SecretKey::dumpPasswordOf, asksActuator, {}, {}}}} {
    m_password.edit->setObjectName(QStringLiteral("connectPassword"));
    m_keyPassphrase.edit->setObjectName(QStringLiteral("connectKeyPassphrase"));
    m_sentinelPassword.edit->setObjectName(QStringLiteral("connectSentinelPassword"));
    m_writingPassword.edit->setObjectName(QStringLiteral("connectWriterPassword"));
    m_dumpPassword.edit->setObjectName(QStringLiteral("connectDumpPassword"));
    for (Field& field : m_fields) {
        field.edit->setEchoMode(QLineEdit::Password);
        field.caption->setBuddy(field.edit);
        m_form.addRow(field.caption, field.edit);
        connect(field.edit, &QLineEdit::textEdited, this, [this, &field] {
            field.address = profile::ProfileId();
            Q_EMIT edited();
        });
    }
    keepTranslated(dialog, [this] { retranslate(); });
}

void SecretFields::retranslate() {
    for (const Field& field : m_fields)
        field.edit->setPlaceholderText(tr("none"));
    m_password.caption->setText(tr("&Password:"));
    m_password.edit->setAccessibleName(tr("Password"));
    m_keyPassphrase.caption->setText(tr("Pass p&hrase of the key:"));
    m_keyPassphrase.edit->setAccessibleName(tr("Pass phrase of the key"));
    m_sentinelPassword.caption->setText(tr("Password of the Sent&inels:"));
    m_sentinelPassword.edit->setAccessibleName(tr("Password of the Sentinels"));
    m_writingPassword.caption->setText(tr("Passwor&d of that user:"));
    m_writingPassword.edit->setAccessibleName(tr("Password of the user who writes"));
    m_dumpPassword.caption->setText(tr("Password of the Actuator:"));
    m_dumpPassword.edit->setAccessibleName(tr("Password of the Actuator"));
}

void SecretFields::setEnabled(bool enabled) {
    for (const Field& field : m_fields)
        field.edit->setEnabled(enabled);
}

void SecretFields::focusPassword() {
    m_password.edit->setFocus();
}

void SecretFields::showThoseOf(const Result<profile::ConnectionProfile>& profile) {
    for (const Field& field : m_fields)
        m_form.setRowVisible(field.edit, field.isFor == alwaysHasUse || (profile && field.isFor(*profile)));
}

void SecretFields::setPassword(const QByteArray& password) {
    m_password.edit->setText(QString::fromUtf8(password));
    m_password.address = profile::ProfileId();
}

void SecretFields::set(const profile::ConnectionProfile& profile) {
    for (Field& field : m_fields) {
        field.keptFor = field.address = profile::ProfileId();
        field.edit->clear();
    }
    setPassword(profile.credentials.password);
    m_keyPassphrase.edit->setText(QString::fromUtf8(profile.endpoint.keyPassphrase));
    const std::optional<topology::SentinelGroup>& sentinels = profile.deployment.sentinels;
    m_sentinelPassword.edit->setText(sentinels ? QString::fromUtf8(sentinels->credentials.password) : QString());
}

void SecretFields::leaveOthers(const profile::ConnectionProfile& profile) {
    for (Field& field : m_fields) {
        if (field.address == profile::ProfileId() || field.address == profile.addressId())
            continue;
        field.edit->clear();
        field.keptFor = field.address = profile::ProfileId();
    }
}

void SecretFields::lookUp(const profile::ConnectionProfile& profile) {
    leaveOthers(profile);
    m_wanted = profile.id;
    for (Field& field : m_fields) {
        if (field.isFor(profile))
            lookUp(field, profile);
    }
}

void SecretFields::lookUp(Field& field, const profile::ConnectionProfile& profile) {
    if (!field.edit->text().isEmpty())
        return;
    const auto fillIn = [this, alive = QPointer(this), &field, id = profile.id,
                         address = profile.addressId()](const Result<profile::SecretStore::Secret>& kept) {
        // Without a keychain the secret is typed, as if none had been kept.
        const bool isThere = alive && kept && *kept;
        if (!isThere || m_wanted != id || !field.edit->isEnabled() || !field.edit->text().isEmpty())
            return;
        field.edit->setText(QString::fromUtf8(**kept));
        field.keptFor = id;
        field.address = address;
        Q_EMIT found();
    };
    m_secrets.read(field.key(profile)).then(fillIn);
}

void SecretFields::applyTo(profile::ConnectionProfile& profile) const {
    if (!m_password.edit->text().isEmpty())
        profile.credentials.password = m_password.edit->text().toUtf8();
    if (namesKey(profile))
        profile.endpoint.keyPassphrase = m_keyPassphrase.edit->text().toUtf8();
    if (namesSentinels(profile))
        profile.deployment.sentinels->credentials.password = m_sentinelPassword.edit->text().toUtf8();
    if (writesAsAnother(profile))
        profile.writing.password = m_writingPassword.edit->text().toUtf8();
    if (asksActuator(profile))
        profile.dumps.credentials.password = m_dumpPassword.edit->text().toUtf8();
}

QList<SecretFields::Change> SecretFields::changes(const profile::ConnectionProfile& profile, bool isToBeKept) const {
    QList<Change> changes;
    for (const Field& field : m_fields) {
        const QByteArray secret = field.edit->text().toUtf8();
        if (field.isFor(profile) && isToBeKept && !secret.isEmpty())
            changes << Change{field.key(profile), secret};
        else if (field.keptFor == profile.id)
            changes << Change{field.key(profile), {}};
    }
    return changes;
}

QList<SecretFields::Change> SecretFields::removals(const profile::ConnectionProfile& profile) {
    return {{profile::SecretKey::passwordOf(profile), {}},         {profile::SecretKey::keyPassphraseOf(profile), {}},
            {profile::SecretKey::sentinelPasswordOf(profile), {}}, {profile::SecretKey::writingPasswordOf(profile), {}},
            {profile::SecretKey::dumpPasswordOf(profile), {}},     {profile::SecretKey::sshAnswerOf(profile.id), {}}};
}

}  // namespace lockkeeper::ui

#include "moc_secretfields.cpp"
