// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QSettings;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

// The page of the settings for the user's names of clients.
class AliasPage final : public QWidget {
    Q_OBJECT
public:
    // settings: outlives it; has the names, and keeps a change at once.
    explicit AliasPage(QSettings& settings, QWidget* parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void makeLayout();
    void retranslate();
    void refresh();
    void rename(const QTreeWidgetItem& item);
    void removeCurrent();
    // An empty name removes it.
    void setName(const QString& client, const QString& name);

    QSettings& m_settings;
    QLabel* m_meaning;
    QTreeWidget* m_list;
    QPushButton* m_remove;
};

}  // namespace lockkeeper::ui
