/// Limits of reading YAML.
enum YAMLLimits {
    /// Bytes of a file: 20,000 choices in several languages have two million.
    static let file = 8 << 20
    /// Lists and maps inside each other: 16 levels of groups take two each, and a few more are in the innermost question.
    static let depth = 64
    /// Scalars of a key, as in YAML's own grammar.
    static let key = 1_024
    /// Faults after which reading ends. After each, the lines of its entry are read once more to find the next one.
    static let faults = 20
}
