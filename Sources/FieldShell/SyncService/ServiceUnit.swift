import DocumentValues
import FieldRecords
import Foundation

/// The systemd unit of one record folder, for the user who owns it.
struct ServiceUnit {
    /// `fieldbook`, as an absolute path.
    let program: String
    let folder: FieldFolder
    /// Whether the folder is the one that is used where none is named.
    let isDefault: Bool
    var passphraseFile: String?
    var passwordFile: String?

    /// The program behind `/proc/self/exe`. If an update has replaced the program since it began, the system marks that
    /// behind its name; the service has to run the new one.
    static func program(ofLink path: String) -> String {
        let ending = " (deleted)"
        guard path.hasExactSuffix(ending), !FileManager.default.fileExists(atPath: path) else { return path }
        return String(decoding: path.utf8.dropLast(ending.utf8.count), as: UTF8.self)
    }

    /// `fieldbook-sync.service`; for another folder its path follows, escaped as `systemd-escape --path` does.
    var name: String {
        isDefault ? "fieldbook-sync.service" : "fieldbook-sync-\(Self.escaped(path: folder.url.path)).service"
    }

    /// - Parameter variables: the environment of the user.
    func file(_ variables: [String: String]) -> URL {
        let home = variables["HOME"].flatMap { $0.hasExactPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        let chosen = variables["XDG_CONFIG_HOME"].flatMap { $0.hasExactPrefix("/") ? $0 : nil }
        let configuration = chosen ?? home + "/.config"
        return URL(fileURLWithPath: configuration + "/systemd/user/" + name)
    }

    var text: String {
        let command =
            [program, "sync", "--continuous", "--folder", folder.url.path]
            + option("--passphrase-file", value: passphraseFile) + option("--password-file", value: passwordFile)
        return """
            # Written by: fieldbook service install. The next install replaces it; changes of your own belong
            # into: systemctl --user edit \(name)
            [Unit]
            Description=Fieldbook sync of \(Self.specifiersEscaped(folder.url.path))

            [Service]
            # Ready as soon as it runs, with or without a network; it never ends because there is none.
            Type=notify
            NotifyAccess=main
            ExecStart=\(command.map(Self.quoted).joined(separator: " "))
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=10
            TimeoutStopSec=20
            WatchdogSec=120
            Nice=5

            UMask=0077
            NoNewPrivileges=yes
            LockPersonality=yes
            RestrictSUIDSGID=yes
            RestrictRealtime=yes
            RestrictNamespaces=yes
            # Netlink reports when the network comes back.
            RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
            SystemCallArchitectures=native
            SystemCallFilter=@system-service

            [Install]
            WantedBy=default.target

            """
    }

    private func option(_ name: String, value: String?) -> [String] {
        value.map { [name, FieldFolder(path: $0).url.path] } ?? []
    }

    /// As `ExecStart` wants an argument: variables and specifiers are taken literally.
    static func quoted(_ argument: String) -> String {
        var text = ""
        for scalar in argument.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "$": text += "$$"
            case "%": text += "%%"
            default: text.unicodeScalars.append(scalar)
            }
        }
        let isPlain = argument.utf8.allSatisfy { $0 > 0x20 && !"\"'\\;$%".utf8.contains($0) } && !argument.isEmpty
        return isPlain ? text : "\"\(text)\""
    }

    private static func specifiersEscaped(_ text: String) -> String {
        // By scalars: a line end and the scalars around it can be one `Character`.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%%"
            case "\n", "\r": escaped += " "
            case "\\": escaped += "\\\\"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func escaped(path: String) -> String {
        let trimmed = path.split(atByte: "/").joined(separator: "/")
        return trimmed.utf8.enumerated().map { index, byte in
            switch byte {
            case UInt8(ascii: "/"): "-"
            case UInt8(ascii: ".") where index == 0: hexadecimal(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: hexadecimal(byte)
            }
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
