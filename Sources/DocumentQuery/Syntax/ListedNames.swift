extension [String] {
    /// `a`, `a or b`, `a, b or c`
    func listed(by conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
