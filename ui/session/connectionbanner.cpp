#include "ui/session/connectionbanner.h"

#include "ui/message/inlinemessage.h"
#include "ui/session/bannermessage.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

QPushButton* addButton(InlineMessage& message, const QString& objectName, const QString& text) {
    auto* button = new QPushButton(text, &message);
    button->setObjectName(objectName);
    message.addButton(button);
    return button;
}

}  // namespace

ConnectionBanner::ConnectionBanner(QWidget* parent) : QWidget(parent), m_message(new InlineMessage(this)) {
    m_message->setObjectName(QStringLiteral("banner"));
    QPushButton* retry = addButton(*m_message, QStringLiteral("bannerRetry"), tr("&Try again"));
    QPushButton* edit = addButton(*m_message, QStringLiteral("bannerEdit"), tr("&Edit…"));
    connect(retry, &QPushButton::clicked, this, &ConnectionBanner::retryWanted);
    connect(edit, &QPushButton::clicked, this, &ConnectionBanner::editWanted);
    m_retry = retry;
    m_edit = edit;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
}

void ConnectionBanner::follow(const ConnectionStatus& status, const ViewTime& time, int rows) {
    const bool failed = status.phase == ConnectionPhase::Failed;
    m_retry->setVisible(failed);
    m_edit->setVisible(failed);
    m_message->setMessage(bannerMessage(status, time, rows));
}

}  // namespace lockkeeper::ui

#include "moc_connectionbanner.cpp"
