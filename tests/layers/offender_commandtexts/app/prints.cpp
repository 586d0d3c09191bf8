// SPDX-License-Identifier: Apache-2.0
// Read by checkcommandtexts.cmake alone.
void wrong() {
    complain(QStringLiteral("the output cannot be written; %1").arg(why));
    return usage(
        QStringLiteral("--lock takes the name of a lock"));
}
void right() {
    complain(CommandLine::tr("this one is translated"));
    complain(QStringLiteral("'%1': %2").arg(right, why));
    options.insert(QStringLiteral("not printed at all"));
}
