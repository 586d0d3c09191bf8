#include "ui/session/connectionbanner.h"

#include "ui/look/retranslating.h"
#include "ui/message/inlinemessage.h"
#include "ui/session/bannermessage.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

ConnectionBanner::ConnectionBanner(QWidget* parent)
    : QWidget(parent),
      m_message(new InlineMessage(this)),
      m_retry(new QPushButton(m_message)),
      m_edit(new QPushButton(m_message)) {
    m_message->setObjectName(QStringLiteral("banner"));
    m_retry->setObjectName(QStringLiteral("bannerRetry"));
    m_edit->setObjectName(QStringLiteral("bannerEdit"));
    m_message->addButton(m_retry);
    m_message->addButton(m_edit);
    connect(m_retry, &QPushButton::clicked, this, &ConnectionBanner::retryWanted);
    connect(m_edit, &QPushButton::clicked, this, &ConnectionBanner::editWanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    keepTranslated(*this, [this] { retranslate(); });
}

void ConnectionBanner::retranslate() {
    m_retry->setText(tr("&Try again"));
    m_edit->setText(tr("&Edit…"));
}

void ConnectionBanner::follow(const ConnectionStatus& status, const ViewTime& time, int rows) {
    const bool failed = status.phase == ConnectionPhase::Failed;
    m_retry->setVisible(failed);
    m_edit->setVisible(failed);
    m_message->setMessage(bannerMessage(status, time, rows));
}

}  // namespace lockkeeper::ui

#include "moc_connectionbanner.cpp"
