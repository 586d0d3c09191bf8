// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTranslator>

namespace lockkeeper::test {

// Stands for a foreign language: puts brackets around the text, and an accent on each a, e and o outside
// placeholders.
class PseudoTranslator final : public QTranslator {
public:
    QString translate(const char*, const char* source, const char*, int) const override {
        QString text = QString::fromUtf8(source);
        text.replace(u'a', u'á').replace(u'e', u'é').replace(u'o', u'ó');
        return QStringLiteral("⟦%1⟧").arg(text);
    }
    bool isEmpty() const override { return false; }
};

}  // namespace lockkeeper::test
