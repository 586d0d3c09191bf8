// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/addressfields.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

namespace lockkeeper::ui {

AddressFields::AddressFields(const QStringList& recentUrls, QFormLayout& form, QWidget& dialog)
    : QObject(&dialog),
      m_urlCaption(plainLabel(&dialog)),
      m_userCaption(plainLabel(&dialog)),
      m_examples(plainLabel(&dialog)),
      m_url(new QComboBox(&dialog)),
      m_user(new QLineEdit(&dialog)) {
    m_url->setObjectName(QStringLiteral("connectUrl"));
    m_url->setEditable(true);
    m_url->setInsertPolicy(QComboBox::NoInsert);
    m_url->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_url->addItems(recentUrls);
    m_url->lineEdit()->setPlaceholderText(QStringLiteral("redis://127.0.0.1:6379"));
    m_user->setObjectName(QStringLiteral("connectUser"));
    m_examples->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_examples->setForegroundRole(QPalette::PlaceholderText);
    form.addRow(m_urlCaption, m_url);
    form.addRow(QString(), m_examples);
    form.addRow(m_userCaption, m_user);
    m_urlCaption->setBuddy(m_url);
    m_userCaption->setBuddy(m_user);
    connect(m_url->lineEdit(), &QLineEdit::editingFinished, this, &AddressFields::addressEntered);
    connect(m_url, &QComboBox::activated, this, &AddressFields::addressEntered);
    connect(m_url, &QComboBox::editTextChanged, this, &AddressFields::edited);
    connect(m_url, &QComboBox::editTextChanged, this, &AddressFields::addressChanged);
    connect(m_user, &QLineEdit::textEdited, this, &AddressFields::edited);
    keepTranslated(dialog, [this] { retranslate(); });
}

void AddressFields::retranslate() {
    m_urlCaption->setText(tr("&Address:"));
    m_url->setAccessibleName(tr("Address of the server"));
    m_examples->setText(tr("Examples:\n%1")
                            .arg(QStringLiteral("redis://redis.example.com:6379/0\n"
                                                "rediss://redis.example.com:6380?ca=/etc/ssl/our-ca.pem\n"
                                                "redis-sentinel://s1.example.com,s2.example.com/mymaster\n"
                                                "redis://10.0.0.5:6379?ssh=me@jump.example.com\n"
                                                "unix:///run/redis/redis.sock")));
    m_userCaption->setText(tr("&User:"));
    m_user->setPlaceholderText(tr("the server's default user"));
    m_user->setAccessibleName(tr("User name"));
}

void AddressFields::setEnabled(bool enabled) {
    m_url->setEnabled(enabled);
    m_user->setEnabled(enabled);
}

void AddressFields::focus() {
    m_url->setFocus();
}

void AddressFields::set(const profile::ConnectionProfile& profile) {
    m_url->setEditText(profile.urlWithoutPassword());
    m_user->setText(QString::fromUtf8(profile.credentials.user));
}

Result<profile::ConnectionProfile> AddressFields::entered() const {
    const QString typed = m_url->currentText().trimmed();
    const QString url = typed.isEmpty() ? m_url->lineEdit()->placeholderText() : typed;
    Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(url);
    if (profile && !m_user->text().isEmpty())
        profile.value().credentials.user = m_user->text().toUtf8();
    return profile;
}

QByteArray AddressFields::takePassword() {
    const Result<profile::ConnectionProfile> profile =
        profile::ConnectionProfile::fromUrl(m_url->currentText().trimmed());
    if (!profile || profile->credentials.password.isEmpty())
        return {};
    m_user->setText(QString::fromUtf8(profile->credentials.user));
    m_url->setEditText(profile->urlWithoutPassword());
    return profile->credentials.password;
}

}  // namespace lockkeeper::ui

#include "moc_addressfields.cpp"
