#pragma once

#include "ui/time/viewtime.h"

#include <QWidget>

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the table while the connection is not as it should be, and offers what can be done about it.
class ConnectionBanner final : public QWidget {
    Q_OBJECT
public:
    explicit ConnectionBanner(QWidget* parent = nullptr);

    // rows: in the table below.
    void follow(const ConnectionStatus& status, const ViewTime& time, int rows);

Q_SIGNALS:
    void retryWanted();
    void editWanted();

private:
    InlineMessage* m_message;
    QWidget* m_retry;
    QWidget* m_edit;
};

}  // namespace lockkeeper::ui
