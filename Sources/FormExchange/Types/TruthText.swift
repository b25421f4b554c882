/// The answers yes and no as authors write them, in settings and where an expression is wanted.
package enum TruthText {
    /// `nil` for another text.
    package static func value(of text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "true()": true
        case "no", "false", "false()": false
        default: nil
        }
    }

    /// `true()` or `false()` for yes or no, otherwise the expression itself.
    package static func expression(_ text: String) -> String {
        value(of: text).map { $0 ? "true()" : "false()" } ?? text
    }
}
