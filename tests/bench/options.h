// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCommandLineParser>
#include <QMap>

namespace lockkeeper::bench {

// The numbers that a bench takes from its command line, and their defaults.
class Options {
public:
    struct Number {
        const char* name;
        const char* meaning;
        int usual;
    };

    explicit Options(std::initializer_list<Number> numbers) {
        QCommandLineParser parser;
        parser.addHelpOption();
        for (const Number& number : numbers)
            parser.addOption({QString::fromLatin1(number.name), QString::fromLatin1(number.meaning),
                              QStringLiteral("n"), QString::number(number.usual)});
        parser.process(*QCoreApplication::instance());
        for (const Number& number : numbers)
            m_numbers.insert(QLatin1String(number.name), parser.value(QString::fromLatin1(number.name)).toInt());
    }

    [[nodiscard]] int operator[](const char* name) const { return m_numbers.value(QLatin1String(name)); }

private:
    QMap<QString, int> m_numbers;
};

}  // namespace lockkeeper::bench
