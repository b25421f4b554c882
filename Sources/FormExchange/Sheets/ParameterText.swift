import DocumentValues
import FormLogic

/// `key=value` separated by spaces, commas or semicolons.
enum ParameterText {
    /// `nil` where a part has no `=`.
    static func parse(_ text: String) -> [NamedText]? {
        // A space beside an equals sign separates nothing.
        let joined = text.replacing(/\s*=\s*/, with: "=")
        let parts = joined.utf8.split { $0 == 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
        var parameters: [NamedText] = []
        for part in parts {
            let text = String(Substring(part))
            guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = text[..<equals].lowercased()
            let value = String(text[text.utf8.index(after: equals)...])
            guard !key.isEmpty, !value.isEmpty else { return nil }
            parameters.removeAll { $0.name.text == key }
            parameters.append(
                NamedText(name: Name(key), text: keepsCase(key, value: value) ? value : value.lowercased()))
        }
        return parameters
    }

    private static func keepsCase(_ key: String, value: String) -> Bool {
        key == "value" || key == "label" || key == "app" || key == "placeholder" || key == "tick_labelset"
            || value.containsBytes(of: "${")
    }
}

/// A list of questions: `${a}, ${b}`.
enum TriggerText {
    /// `nil` where a part is none.
    static func parse(_ text: String) -> [Name]? {
        var names: [Name] = []
        for part in text.split(atByte: ",") {
            let reference = part.trimmingSpaces
            guard reference.hasPrefix("${"), reference.hasSuffix("}"), reference.utf8.count > 3 else { return nil }
            names.append(Name(Substring(reference.utf8.dropFirst(2).dropLast()).trimmingSpaces))
        }
        return names.isEmpty ? nil : names
    }
}
