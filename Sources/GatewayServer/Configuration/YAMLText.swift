import GatewayCore
import Yams

/// Reads YAML, and JSON with it.
enum YAMLText {
    /// - Parameter file: the file of the text.
    static func load(_ text: String, file: String) throws(ConfigurationError) -> Any? {
        let node: Node?
        do {
            node = try compose(text)
        } catch {
            throw ConfigurationError(file, problem: "is not YAML or JSON: \(reason(of: error))")
        }
        guard let node else { return nil }
        try check(node, file: file)
        return node.any
    }

    /// Functions in back quotes, as Couchbase's documentation prints them, are no YAML.
    private static func compose(_ text: String) throws -> Node? {
        do { return try Yams.compose(yaml: text) } catch {
            let replaced = BackQuotedText.replaced(in: Array(text.utf8))
            // If that fails, too, the error is about the text as it was written.
            guard let node = try? Yams.compose(yaml: String(decoding: replaced, as: UTF8.self)) else { throw error }
            return node
        }
    }

    /// Yams' error for repeated keys contains the whole text, including passwords.
    private static func reason(of error: any Error) -> String {
        guard let error = error as? YamlError, case .duplicatedKeysInMapping(let keys, let context) = error else {
            return "\(error)"
        }
        let names = keys.map { "'\($0)'" }.joined(separator: ", ")
        return "\(names) \(keys.count == 1 ? "is" : "are") there more than once; the first one is in line "
            + "\(context.mark.line)"
    }

    /// Yams stops the program at a mapping whose key is a mapping or a list: `{[a]: b}`.
    private static func check(_ node: Node, file: String) throws(ConfigurationError) {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard key.scalar != nil else {
                    throw ConfigurationError(
                        file, problem: "has a list or a mapping where the name of a setting belongs")
                }
                try check(value, file: file)
            }
        case .sequence(let sequence): for element in sequence { try check(element, file: file) }
        case .scalar, .alias: return
        }
    }
}
