// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectionbadge.h"

#include "ui/base/badge.h"
#include "ui/base/retranslating.h"
#include "ui/connections/labelcolor.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QHBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestText = 60;

}  // namespace

ConnectionBadge::ConnectionBadge(QWidget* parent) : QWidget(parent), m_badge(new Badge(this)) {
    m_badge->setObjectName(QStringLiteral("connectionBadge"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_badge);
    layout->addStretch(1);
    keepTranslated(*this, [this] { retranslate(); });
}

void ConnectionBadge::set(const profile::ProfileLabel& label, const QString& server) {
    m_label = label;
    m_server = server;
    retranslate();
}

void ConnectionBadge::retranslate() {
    m_badge->set(shortened(connectionText(m_label, m_server), longestText), labelColor(m_label));
}

}  // namespace lockkeeper::ui

#include "moc_connectionbadge.cpp"
