// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QWidget>

#include <vector>

class QLabel;
class QTreeWidget;

namespace lockkeeper::ui {

// A short list of names with a number each, the largest first. A click or Enter chooses one.
class TopList final : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QByteArray id;  // of what it stands for; not shown
        QString name;
        QString number;
        QIcon icon = QIcon();
        QString toolTip = QString();
    };

    explicit TopList(const QString& objectName, QWidget* parent = nullptr);

    // empty: shown in place of rows.
    void describe(const QString& title, const QString& empty);
    // The current row stays current, wherever it is now. Does nothing while the pointer is over the list: no row may
    // move below a click.
    void show(const std::vector<Row>& rows);
    using QWidget::show;

Q_SIGNALS:
    void chosen(const QByteArray& id);

private:
    QLabel* m_title;
    QTreeWidget* m_list;
    QLabel* m_empty;
};

}  // namespace lockkeeper::ui
