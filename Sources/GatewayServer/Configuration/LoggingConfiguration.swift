/// The events that are logged, where, and how much of personal data.
package struct LoggingConfiguration: Sendable, Hashable {
    package enum Level: String, Sendable, Hashable, CaseIterable { case trace, debug, info, warn, warning, error, none }

    /// The format of the console's lines.
    package enum Format: String, Sendable, Hashable, CaseIterable { case text, json }

    /// Which personal data are marked, or hidden. The first three are Sync Gateway's.
    package enum Redaction: String, Sendable, Hashable, CaseIterable {
        case none
        /// Users' data is marked: names of users, documents, channels, and texts of sync functions.
        case partial
        /// That, and names of databases and addresses.
        case full
        /// All of that is replaced by pseudonyms.
        case hidden
    }

    package var level = Level.info
    package var format = Format.text
    package var redaction = Redaction.partial
    package var isAuditing = true
    /// Where the audit log is kept.
    package var folder: String

    package init(folder: String) { self.folder = folder }

    init(_ reader: ConfigurationReader, folder: String) throws(ConfigurationError) {
        try reader.allow(
            ["console", "redaction_level", "log_file_path", "audit"], passedOver: PassedOver.logging)
        let path = try reader.string("log_file_path") ?? "logs"
        self.folder = GatewayConfiguration.resolve(path, in: folder)
        redaction = try reader.choice("redaction_level") ?? redaction
        let console = try reader.section("console")
        try console.allow(["log_level", "enabled", "format"], passedOver: PassedOver.console)
        level = try console.choice("log_level") ?? level
        format = try console.choice("format") ?? format
        if try console.bool("enabled") == false { level = .none }
        let audit = try reader.section("audit")
        try audit.allow(["enabled"], passedOver: PassedOver.audit)
        isAuditing = try audit.bool("enabled") ?? isAuditing
    }
}
