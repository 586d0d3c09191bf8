// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/help/manualpages.h"

#include <QStringList>

namespace lockkeeper::ui {

struct ManualHit {
    QString place;
    QString page;     // its title
    QString section;  // the heading above the words
    QString excerpt;  // the text around the first of them
};

// Finds words in all pages of the manual, section by section. Reads every page once, when it is made.
class ManualSearch {
public:
    ManualSearch();

    [[nodiscard]] const QList<ManualPage>& pages() const { return m_pages; }
    // Sections that contain every word, in reading order. Upper and lower case are the same.
    [[nodiscard]] QList<ManualHit> find(const QStringList& words) const;

private:
    struct Section {
        QString place;
        QString page;
        QString heading;
        QString text;
    };

    void add(const ManualPage& page);

    QList<ManualPage> m_pages;
    QList<Section> m_sections;
};

}  // namespace lockkeeper::ui
