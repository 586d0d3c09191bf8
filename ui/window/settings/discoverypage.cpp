// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/discoverypage.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int listLines = 3;

QString patternLines(const QByteArrayList& list) {
    return QString::fromUtf8(list.join('\n'));
}

// A blank may be part of a name.
QByteArrayList listOf(const QPlainTextEdit& edit) {
    QByteArrayList list = edit.toPlainText().toUtf8().split('\n');
    list.removeAll(QByteArray());
    return list;
}

void makePatternEdit(QPlainTextEdit& edit, const QString& objectName) {
    edit.setObjectName(objectName);
    edit.setTabChangesFocus(true);
    edit.setLineWrapMode(QPlainTextEdit::NoWrap);
    edit.setFixedHeight(edit.fontMetrics().lineSpacing() * (listLines + 1));
}

}  // namespace

DiscoveryPage::DiscoveryPage(const profile::DiscoverySettings& settings, QWidget* parent)
    : QWidget(parent),
      m_meaning(plainLabel(this)),
      m_shareLabel(plainLabel(this)),
      m_share(new QSpinBox(this)),
      m_matchesLabel(plainLabel(this)),
      m_matches(new QPlainTextEdit(this)),
      m_prefixesLabel(plainLabel(this)),
      m_prefixes(new QPlainTextEdit(this)) {
    m_share->setObjectName(QStringLiteral("settingsShare"));
    m_share->setRange(1, 100);
    makePatternEdit(*m_matches, QStringLiteral("settingsMatches"));
    makePatternEdit(*m_prefixes, QStringLiteral("settingsPrefixes"));
    makeLayout();
    setSettings(settings);
    connect(m_share, &QSpinBox::valueChanged, this, &DiscoveryPage::announce);
    connect(m_matches, &QPlainTextEdit::textChanged, this, &DiscoveryPage::announce);
    connect(m_prefixes, &QPlainTextEdit::textChanged, this, &DiscoveryPage::announce);
    keepTranslated(*this, [this] { retranslate(); });
}

void DiscoveryPage::makeLayout() {
    m_meaning->setWordWrap(true);
    m_shareLabel->setBuddy(m_share);
    m_matchesLabel->setBuddy(m_matches);
    m_prefixesLabel->setBuddy(m_prefixes);
    auto* share = new QHBoxLayout;
    share->addWidget(m_shareLabel);
    share->addWidget(m_share);
    share->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_meaning);
    layout->addLayout(share);
    for (QWidget* widget : {static_cast<QWidget*>(m_matchesLabel), static_cast<QWidget*>(m_matches),
                            static_cast<QWidget*>(m_prefixesLabel), static_cast<QWidget*>(m_prefixes)})
        layout->addWidget(widget);
    layout->addStretch(1);
}

void DiscoveryPage::setSettings(const profile::DiscoverySettings& settings) {
    m_share->setValue(settings.serverShare);
    m_matches->setPlainText(patternLines(settings.matches));
    m_prefixes->setPlainText(patternLines(settings.prefixes));
}

profile::DiscoverySettings DiscoveryPage::settings() const {
    profile::DiscoverySettings settings;
    settings.serverShare = m_share->value();
    settings.matches = listOf(*m_matches);
    settings.prefixes = listOf(*m_prefixes);
    return settings;
}

void DiscoveryPage::announce() {
    Q_EMIT changed(settings());
}

void DiscoveryPage::retranslate() {
    m_meaning->setText(
        tr("For connections that are made from now on. What the address of a connection says itself, as in "
           "?share=10&match=orders:*, counts more."));
    m_shareLabel->setText(tr("Share of a server &core for the scan:"));
    m_share->setSuffix(tr(" %", "percent"));
    m_share->setToolTip(
        helpTip(tr("The search for new locks pauses between its steps, so that it takes at most this share of the "
                   "server's time.")));
    m_matchesLabel->setText(tr("Only locks with names li&ke these, a pattern on each line:"));
    m_matches->setPlaceholderText(tr("every name; or such as orders:*"));
    m_prefixesLabel->setText(tr("Show new locks at once whose names be&gin so, on each line:"));
    m_prefixes->setPlaceholderText(tr("none; or such as orders:"));
    m_prefixes->setToolTip(
        helpTip(tr("The server reports each change of these names, also of keys that are no locks.")));
}

}  // namespace lockkeeper::ui

#include "moc_discoverypage.cpp"
