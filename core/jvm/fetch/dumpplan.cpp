// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/dumpplan.h"

#include "base/safetext.h"
#include "jvm/fetch/fetchcause.h"
#include "topology/ssh/sshcommand.h"

#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>
#include <array>

namespace lockkeeper::jvm {

using profile::DumpSettings;
using profile::hostPlaceholder;

namespace {

Error wrong(FetchCause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

QString inUrl(const QHostAddress& host) {
    const QString text = host.toString();
    return text.contains(u':') ? QLatin1Char('[') + text + QLatin1Char(']') : text;
}

// A zone such as %eth0 is of this machine, and has no meaning for another one.
std::optional<QHostAddress> addressIn(const QString& text) {
    static const QRegularExpression form(
        QStringLiteral(R"(^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)\z)"));
    QHostAddress address;
    return form.match(text).hasMatch() && address.setAddress(text) ? std::optional(address) : std::nullopt;
}

// Labels and names of RFC 1123. None begins with "-", so kubectl takes none for an option.
bool isKubernetesName(const QString& text, qsizetype longest) {
    static const QRegularExpression form(QStringLiteral(R"(^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\z)"));
    return text.size() <= longest && form.match(text).hasMatch();
}

bool isLabel(const QString& text) {
    constexpr qsizetype longest = 63;
    return isKubernetesName(text, longest) && !text.contains(u'.');
}

QString remoteCommand(const QString& command, bool usesSudo) {
    return usesSudo ? QLatin1String("sudo -n ") + command : command;
}

// The user's configuration stays in force, as for a jump host. These options would open ports, run another command,
// or leave a process behind.
QStringList sshCommand(const topology::JumpHost& host, const QString& remote) {
    QStringList words{topology::sshProgram(),
                      QStringLiteral("-T"),
                      QStringLiteral("-oClearAllForwardings=yes"),
                      QStringLiteral("-oRemoteCommand=none"),
                      QStringLiteral("-oControlMaster=no"),
                      QStringLiteral("-oConnectTimeout=15")};
    if (host.port != 0)
        words << QStringLiteral("-p") << QString::number(host.port);
    if (!host.user.isEmpty())
        words << QStringLiteral("-l") << host.user;
    return words << QStringLiteral("--") << host.host << remote;
}

}  // namespace

std::optional<ClientPlace> ClientPlace::parse(const QString& text) {
    static const QRegularExpression form(
        QStringLiteral(R"(^(?:\[(?<six>[^\[\]]+)\]|(?<four>[^:]+)):(?<port>[0-9]{1,5})\z)"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString six = match.captured(QStringLiteral("six"));
    const std::optional<QHostAddress> host = addressIn(six.isEmpty() ? match.captured(QStringLiteral("four")) : six);
    bool isPort = false;
    const quint16 port = match.captured(QStringLiteral("port")).toUShort(&isPort);
    return host && isPort && port != 0 ? std::optional(ClientPlace{*host, port}) : std::nullopt;
}

// ---- plans ----

Result<WebDump> webDumpOf(const DumpSettings& settings, const std::optional<ClientPlace>& place) {
    static const QRegularExpression form(QStringLiteral(
        R"(^https?://(?:\{host\}|[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[^\s#{}\\]*)?\z)"));
    if (!form.match(settings.url).hasMatch())
        return wrong(FetchCause::UrlTemplate);
    QString text = settings.url;
    if (text.contains(hostPlaceholder)) {
        if (!place)
            return wrong(FetchCause::HostMissing);
        text.replace(hostPlaceholder, inUrl(place->host));
    }
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || !url.userInfo().isEmpty() || url.port(1) == 0)
        return wrong(FetchCause::UrlTemplate);
    const std::optional<QHostAddress> address = addressIn(url.host());
    if (address && isForbidden(*address))
        return wrong(FetchCause::ForbiddenAddress, {address->toString()});
    return WebDump{url, false};
}

Result<ProcessSearch> processSearchOf(const DumpSettings& settings, const std::optional<ClientPlace>& place) {
    if (!place || place->port == 0)
        return wrong(FetchCause::HostMissing);
    QString login = settings.login.isEmpty() ? QString(hostPlaceholder) : settings.login;
    login.replace(hostPlaceholder, inUrl(place->host));
    const std::optional<topology::JumpHost> host = topology::JumpHost::parse(login);
    if (!host)
        return wrong(FetchCause::LoginTemplate);
    return ProcessSearch{*host, *place, settings.usesSudo};
}

Result<PodDump> podDumpOf(const DumpSettings& settings) {
    constexpr qsizetype longestPod = 253;
    if (!isKubernetesName(settings.pod, longestPod))
        return wrong(FetchCause::PodName, {bounded(safeText(settings.pod))});
    for (const QString& name : {settings.kubeNamespace, settings.container})
        if (!name.isEmpty() && !isLabel(name))
            return wrong(FetchCause::PodName, {bounded(safeText(name))});
    return PodDump{settings.pod, settings.kubeNamespace, settings.container};
}

// Before it attaches, jcmd sends SIGQUIT, which ends a process that is no JVM.
Result<SshDump> sshDumpOf(const ProcessSearch& search, const RemoteProcess& process) {
    if (process.name != QLatin1String("java"))
        return wrong(FetchCause::NotJava, {bounded(safeText(process.name))});
    return SshDump{search.host, process, search.usesSudo};
}

bool isListed(const DumpSettings& settings, const QUrl& url) {
    const std::optional<QHostAddress> address = addressIn(url.host());
    return std::ranges::any_of(settings.hosts, [&](const QString& listed) {
        const std::optional<QHostAddress> other = addressIn(listed);
        return address && other ? *address == *other : listed.compare(url.host(), Qt::CaseInsensitive) == 0;
    });
}

namespace {

// The address of IPv4 that one of IPv6 stands for: mapped, or of a gateway (NAT64, 6to4).
QHostAddress plainOf(const QHostAddress& address) {
    bool isMapped = false;
    const quint32 four = address.toIPv4Address(&isMapped);
    if (isMapped)
        return QHostAddress(four);
    const Q_IPV6ADDR six = address.toIPv6Address();
    const auto fourAt = [&six](int at) { return QHostAddress(qFromBigEndian<quint32>(&six.c[at])); };
    constexpr int lastFour = 12;
    constexpr int afterPrefix = 2;
    const bool isCompatible =
        address.isInSubnet(QHostAddress(QStringLiteral("::")), 96) && fourAt(lastFour).toIPv4Address() > 1;
    if (isCompatible || address.isInSubnet(QHostAddress(QStringLiteral("64:ff9b::")), 96))
        return fourAt(lastFour);
    return address.isInSubnet(QHostAddress(QStringLiteral("2002::")), 16) ? fourAt(afterPrefix) : address;
}

}  // namespace

bool isForbidden(const QHostAddress& address) {
    // Those of Alibaba Cloud, and of AWS by IPv6. The others are 169.254.169.254.
    static const std::array metadata{QHostAddress(QStringLiteral("100.100.100.200")),
                                     QHostAddress(QStringLiteral("fd00:ec2::254"))};
    const QHostAddress plain = plainOf(address);
    return plain.isNull() || plain.isLinkLocal() || plain.isMulticast() || plain.isBroadcast() ||
           plain == QHostAddress(QHostAddress::AnyIPv4) || plain == QHostAddress(QHostAddress::AnyIPv6) ||
           std::ranges::find(metadata, plain) != metadata.end();
}

// ---- commands ----

QStringList commandOf(const ProcessSearch& search) {
    return sshCommand(search.host,
                      remoteCommand(QStringLiteral("ss -Htnpe sport = :%1").arg(search.place.port), search.usesSudo));
}

QStringList commandOf(const SshDump& dump) {
    const QString jcmd = QStringLiteral("jcmd %1 Thread.print -l").arg(dump.process.id);
    const QString user = QStringLiteral("-u '#%1' ").arg(dump.process.user);
    return sshCommand(dump.host, dump.usesSudo ? remoteCommand(user + jcmd, true) : jcmd);
}

// 0 is every JVM of the container, so the number of the process need not be known, and no shell is needed to find it.
QStringList commandOf(const PodDump& dump) {
    QStringList words{QStringLiteral("kubectl"), QStringLiteral("exec")};
    if (!dump.kubeNamespace.isEmpty())
        words << QStringLiteral("--namespace=") + dump.kubeNamespace;
    if (!dump.container.isEmpty())
        words << QStringLiteral("--container=") + dump.container;
    words << dump.pod << QStringLiteral("--");
    return words << QStringLiteral("jcmd") << QStringLiteral("0") << QStringLiteral("Thread.print")
                 << QStringLiteral("-l");
}

QStringList commandOf(const WebDump& dump, const QString& user) {
    QStringList words{QStringLiteral("curl"),         QStringLiteral("--fail"),
                      QStringLiteral("--max-redirs"), QStringLiteral("0"),
                      QStringLiteral("--header"),     QStringLiteral("Accept: application/json, text/plain;q=0.9")};
    if (!user.isEmpty())
        words << QStringLiteral("--user") << user;
    return words << QStringLiteral("--") << dump.url.toString(QUrl::FullyEncoded);
}

QString shellLine(const QStringList& command) {
    static const QRegularExpression plain(QStringLiteral(R"(^[A-Za-z0-9_@%+=:,./-]+\z)"));
    QStringList words;
    for (const QString& word : command) {
        QString quoted = word;
        words << (plain.match(word).hasMatch()
                      ? word
                      : QLatin1Char('\'') + quoted.replace(u'\'', QLatin1String("'\\''")) + QLatin1Char('\''));
    }
    return words.join(u' ');
}

// ---- what ss prints ----

namespace {

// "10.0.0.7:53422", "[::ffff:10.0.0.7]:53422", "[fe80::1%eth0]:53422"
bool isAt(const QString& socket, const ClientPlace& place) {
    const qsizetype colon = socket.lastIndexOf(u':');
    if (colon < 0 || socket.sliced(colon + 1) != QString::number(place.port))
        return false;
    QString host = socket.first(colon);
    host.remove(u'[').remove(u']');
    const QHostAddress address(host.section(u'%', 0, 0));
    return address.isEqual(place.host, QHostAddress::TolerantConversion);
}

}  // namespace

// ESTAB 0 0 10.0.0.7:53422 10.0.0.1:6379 users:(("java",pid=4711,fd=12)) timer:(keepalive,1min,0) uid:1000 ino:1 sk:1
// A process may have any name, also one with quotes. The user's number is left out for root.
Result<QList<RemoteProcess>> processesIn(const QByteArray& printed, const ClientPlace& place) {
    static const QRegularExpression process(QStringLiteral(R"re(\("(.{0,64}?)",pid=([0-9]{1,10}),fd=[0-9]+\))re"));
    static const QRegularExpression user(QStringLiteral(R"( uid:([0-9]{1,10})(?: |\z))"));
    QList<RemoteProcess> processes;
    bool isThere = false;
    for (const QString& line : QString::fromUtf8(printed).split(u'\n')) {
        const QStringList columns = line.split(u' ', Qt::SkipEmptyParts);
        constexpr qsizetype localAddress = 3;
        if (columns.size() <= localAddress || !isAt(columns[localAddress], place))
            continue;
        isThere = true;
        const qint64 owner = user.match(line).captured(1).toLongLong();
        for (const QRegularExpressionMatch& match : process.globalMatch(line)) {
            const RemoteProcess found{match.captured(2).toLongLong(), safeText(match.captured(1)), owner};
            if (std::ranges::find(processes, found.id, &RemoteProcess::id) == processes.end())
                processes << found;
        }
    }
    if (processes.isEmpty())
        return isThere ? wrong(FetchCause::ProcessHidden)
                       : wrong(FetchCause::NoSuchPort, {QString::number(place.port)});
    return processes;
}

}  // namespace lockkeeper::jvm
