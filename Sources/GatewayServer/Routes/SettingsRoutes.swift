import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird
import Logging

/// The start-up configuration for administrators, and its part that can be changed while the gateway runs: the level of
/// the console's log.
enum SettingsRoutes {
    @Sendable static func configuration(_ call: RouteCall) async throws -> Response {
        guard call.request.query["redact"] != "false" else {
            throw GatewayError.redactionStays
        }
        var json = call.context.configuration.json
        if var logging = json["logging"]?.objectValue, var console = logging["console"]?.objectValue {
            let level = call.context.logs.level.value
            console["enabled"] = .bool(level != .none)
            console["log_level"] = .string(level.rawValue)
            logging["console"] = .object(console)
            json["logging"] = .object(logging)
        }
        if call.request.flag("include_runtime") {
            var databases = JSONObject()
            for database in call.context.databases.all.sorted(by: { $0.name < $1.name }) {
                databases[database.name] = .object(database.configuration(includesDefaults: true).json)
            }
            json["databases"] = .object(databases)
        }
        return .json(.object(json))
    }

    @Sendable static func change(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        try refuse(body, except: "logging")
        guard let logging = try section("logging", of: body) else { return .empty() }
        try refuse(logging, except: "console")
        guard let console = try section("console", of: logging) else { return .empty() }
        try refuse(console, except: "log_level")
        guard let value = console["log_level"], !value.isNull else { return .empty() }
        guard let text = value.stringValue else { throw wrongType("logging.console.log_level") }
        try set(text, call)
        return .empty()
    }

    private static func section(_ name: String, of object: JSONObject) throws(GatewayError) -> JSONObject? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let section = value.objectValue else { throw wrongType(name) }
        return section
    }

    private static func wrongType(_ name: String) -> GatewayError {
        GatewayError.invalidJSON("\(name) is of the wrong type")
    }

    private static func refuse(_ object: JSONObject, except known: String) throws(GatewayError) {
        guard let unknown = object.keys.first(where: { $0 != known }) else { return }
        throw GatewayError.fixedSetting(unknown)
    }

    // MARK: - _logging

    /// Sync Gateway shows its log keys here. There are none: only the level decides which events are logged.
    @Sendable static func logKeys(_ call: RouteCall) async throws -> Response { .json([:]) }

    @Sendable static func setLogLevel(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.bytes()
        var isSet = false
        if let name = call.request.query["logLevel"], !name.isEmpty {
            try set(name, call)
            isSet = true
        } else if let number = call.request.query["level"].flatMap({ Int($0) }), number != 0 {
            call.context.logs.level.value = number <= 1 ? .info : number == 2 ? .warn : .error
            isSet = true
        }
        if isSet, body.isEmpty { return .empty() }
        let keys = try? JSONObject(parsing: body)
        if keys?["logLevel"]?.stringValue != nil {
            throw GatewayError.logLevelInBody
        }
        guard let keys, keys.allSatisfy({ $0.value.boolValue != nil }) else {
            throw GatewayError.invalidLogKeys
        }
        return .empty()
    }

    private static func set(_ name: String, _ call: RouteCall) throws(GatewayError) {
        guard let level = LoggingConfiguration.Level.named(name) else {
            throw GatewayError.unknownLogLevel(name)
        }
        call.context.logs.level.value = level
        call.context.logger.notice("The log level was set", metadata: ["log_level": "\(level.rawValue)"])
    }
}
