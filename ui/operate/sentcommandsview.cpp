// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/sentcommandsview.h"

#include "ui/base/retranslating.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int leastLines = 2;  // on a screen that has no room for more; then they scroll

}  // namespace

SentCommandsView::SentCommandsView(QWidget* parent)
    : QWidget(parent), m_show(new QToolButton(this)), m_commands(new QPlainTextEdit(this)) {
    m_show->setObjectName(QStringLiteral("forceShowCommands"));
    m_show->setCheckable(true);
    m_show->setAutoRaise(true);
    m_show->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_commands->setObjectName(QStringLiteral("forceCommands"));
    m_commands->setReadOnly(true);
    m_commands->setTabChangesFocus(true);
    m_commands->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_commands->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_commands->setMinimumHeight(fontMetrics().height() * leastLines);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_show);
    layout->addWidget(m_commands, 1);
    connect(m_show, &QToolButton::toggled, this, &SentCommandsView::fold);
    keepTranslated(*this, [this] { retranslate(); });
    showFold();
}

bool SentCommandsView::isUnfolded() const {
    return m_show->isChecked();
}

void SentCommandsView::setCommands(const QString& commands) {
    if (commands != m_commands->toPlainText())
        m_commands->setPlainText(commands);
}

QList<QWidget*> SentCommandsView::tabOrder() const {
    return {m_show, m_commands};
}

void SentCommandsView::fold() {
    showFold();
    Q_EMIT foldChanged();
}

void SentCommandsView::showFold() {
    m_show->setArrowType(isUnfolded() ? Qt::DownArrow : Qt::RightArrow);
    m_commands->setVisible(isUnfolded());
    // The size hint must be that of the new state at once.
    layout()->activate();
    updateGeometry();
}

void SentCommandsView::retranslate() {
    m_show->setText(tr("What will be &sent"));
    m_commands->setAccessibleName(tr("What will be sent"));
}

}  // namespace lockkeeper::ui

#include "moc_sentcommandsview.cpp"
