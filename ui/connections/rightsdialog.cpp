// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/rightsdialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/armingtext.h"
#include "ui/words/watchingtext.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int textWidth = 36;  // heights of a line
constexpr int textLines = 8;

QLabel* boldLabel(QWidget* parent) {
    QLabel* label = plainLabel(parent);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

}  // namespace

RightsDialog::RightsDialog(const profile::ConnectionProfile& profile, const ConnectionStatus& status, QWidget* parent)
    : FittedDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_missingCaption(boldLabel(this)),
      m_missing(plainLabel(this)),
      m_refusedCaption(boldLabel(this)),
      m_refused(plainLabel(this)),
      m_note(plainLabel(this)) {
    m_missing->setObjectName(QStringLiteral("rightsMissing"));
    m_refused->setObjectName(QStringLiteral("rightsRefused"));
    for (QLabel* label : {m_missing, m_refused})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* label : {m_missing, m_refused, m_note})
        label->setWordWrap(true);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_connection);
    layout->addWidget(m_missingCaption);
    layout->addWidget(m_missing);
    layout->addWidget(m_refusedCaption);
    layout->addWidget(m_refused);
    for (QLabel* label : {m_refusedCaption, m_refused})
        label->setVisible(profile.access == redis::AccessMode::ReadWrite);
    for (const profile::AclLine& acl : profile::aclLines(profile, status.serverVersion))
        addLine(acl, *layout);
    layout->addWidget(m_note);
    layout->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &RightsDialog::reject);
    setContent(layout, {buttons});
    setUsualWidth(textWidth);
    keepTranslated(*this, [this] { retranslate(); });
}

void RightsDialog::addLine(const profile::AclLine& acl, QVBoxLayout& layout) {
    const Shown shown{acl, boldLabel(this), new QPlainTextEdit(acl.line, this), new QPushButton(this)};
    shown.text->setObjectName(QStringLiteral("rightsLine%1").arg(m_lines.size()));
    shown.text->setReadOnly(true);
    shown.text->setTabChangesFocus(true);
    shown.text->setFixedHeight(fontMetrics().lineSpacing() * textLines);
    shown.copy->setObjectName(QStringLiteral("rightsCopy%1").arg(m_lines.size()));
    shown.copy->setAutoDefault(false);
    connect(shown.copy, &QPushButton::clicked, this, [line = acl.line] { QApplication::clipboard()->setText(line); });
    layout.addWidget(shown.caption);
    layout.addWidget(shown.text);
    layout.addWidget(shown.copy, 0, Qt::AlignRight);
    m_lines << shown;
}

void RightsDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
}

void RightsDialog::setStats(const std::optional<monitor::MonitorStats>& stats) {
    if (stats && m_stats && stats->denied == m_stats->denied)
        return;
    m_stats = stats;
    retranslate();
}

void RightsDialog::setArming(const Arming& arming) {
    m_arming = arming;
    retranslate();
}

QString RightsDialog::captionOf(const profile::AclLine& acl, bool isOnly) {
    const QString user = QString::fromUtf8(acl.user);
    if (acl.use == profile::RightsFor::Watching)
        return tr("The least rights of the user who watches, %1:").arg(user);
    return isOnly ? tr("The least rights of the user who watches and, while armed, writes, %1:").arg(user)
                  : tr("The least rights of the user who writes while armed, %1:").arg(user);
}

void RightsDialog::retranslate() {
    setWindowTitle(tr("Rights"));
    m_missingCaption->setText(tr("What is missing on this server, and what that costs:"));
    const QStringList missing = m_stats ? denialTexts(m_stats->denied) : QStringList();
    if (!m_stats)
        m_missing->setText(tr("Not known without a connection."));
    else
        m_missing->setText(missing.isEmpty() ? tr("Nothing that was tried so far was refused.")
                                             : missing.join(QLatin1Char('\n')));
    m_refusedCaption->setText(tr("What was refused to the user who writes, and what that costs:"));
    m_refused->setText(writingRefusalsText(m_arming));
    for (const Shown& shown : m_lines) {
        shown.caption->setText(captionOf(shown.acl, m_lines.size() == 1));
        shown.text->setAccessibleName(shown.caption->text());
        shown.copy->setText(tr("&Copy the ACL line"));
    }
    m_note->setText(
        tr("Put a password of your own in place of PASSWORD. The manual says what each further right adds."));
}

}  // namespace lockkeeper::ui

#include "moc_rightsdialog.cpp"
