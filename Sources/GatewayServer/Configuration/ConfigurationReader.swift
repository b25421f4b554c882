import Foundation
import GatewayCore

/// Reads one level of a configuration, and names the full key in errors.
struct ConfigurationReader {
    let file: String
    let values: [String: Any]
    let prefix: String

    /// - Parameter passedOver: keys that are also allowed, but not mentioned in errors.
    func allow(_ keys: Set<String>, passedOver: Set<String> = []) throws(ConfigurationError) {
        guard let unknown = values.keys.filter({ !keys.contains($0) && !passedOver.contains($0) }).min() else { return }
        throw ConfigurationError(
            file, problem: "unknown key '\(prefix)\(unknown)'",
            hint: "Known here: \(keys.sorted().joined(separator: ", "))")
    }

    func section(_ key: String) throws(ConfigurationError) -> ConfigurationReader {
        guard let value = values[key], !(value is NSNull) else {
            return ConfigurationReader(file: file, values: [:], prefix: "\(prefix)\(key).")
        }
        guard let section = value as? [String: Any] else {
            throw ConfigurationError(file, problem: "'\(prefix)\(key)' must be a mapping")
        }
        return ConfigurationReader(file: file, values: section, prefix: "\(prefix)\(key).")
    }

    func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        guard let text = value as? String, !text.isEmpty else {
            throw ConfigurationError(file, problem: "'\(prefix)\(key)' must be a text")
        }
        return text
    }

    /// One text, or a list of texts.
    func strings(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        if let text = value as? String { return [text] }
        guard let list = value as? [String] else {
            throw ConfigurationError(file, problem: "'\(prefix)\(key)' must be a list of texts")
        }
        return list
    }

    /// Addresses, and networks with a slash.
    func addressRanges(_ key: String) throws(ConfigurationError) -> [AddressRange]? {
        guard let texts = try strings(key) else { return nil }
        var ranges: [AddressRange] = []
        for text in texts {
            guard let range = AddressRange(text: text) else {
                throw ConfigurationError(
                    file, problem: "'\(prefix)\(key)': '\(text)' is no address",
                    hint: "Write an address such as 127.0.0.1, or a network such as 10.1.0.0/16")
            }
            ranges.append(range)
        }
        return ranges
    }

    func number(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        guard let number = value as? Int, range.contains(number) else {
            throw ConfigurationError(
                file, problem: "'\(prefix)\(key)' must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of a few values.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws(ConfigurationError) -> Choice?
    where Choice.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw ConfigurationError(
                file, problem: "\(prefix)\(key) '\(text)' is unknown",
                hint: "Use one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    func bool(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        guard let bool = value as? Bool else {
            throw ConfigurationError(file, problem: "'\(prefix)\(key)' must be true or false")
        }
        return bool
    }

    /// `host:port`, `:port` for every interface, or `[::1]:port`.
    func interface(_ key: String) throws(ConfigurationError) -> GatewayConfiguration.Interface? {
        guard let text = try string(key) else { return nil }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else {
            throw ConfigurationError(
                file, problem: "'\(prefix)\(key)' is '\(text)'", hint: "Write host:port, such as 127.0.0.1:4984")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard host.isEmpty || HostName.isValid(host) else {
            throw ConfigurationError(
                file, problem: "'\(prefix)\(key)' is '\(text)', and '\(host)' is neither a host name nor an address",
                hint: "Write an address of this machine, such as 127.0.0.1:4984 or [::1]:4984, or :4984 for all")
        }
        return GatewayConfiguration.Interface(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }
}
