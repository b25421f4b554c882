/// Lengths and areas as a person reads them.
enum LengthText {
    /// `340 m`, `1.2 km`.
    static func of(_ metres: Double) -> String {
        if metres < 10 { return "\(Decimals.text(metres, decimals: 1)) m" }
        if metres < 1000 { return "\(Decimals.text(metres, decimals: 0)) m" }
        return metres < 100_000
            ? "\(Decimals.text(metres / 1000, decimals: 1)) km" : "\(Decimals.text(metres / 1000, decimals: 0)) km"
    }

    /// `340 m²`, `1.2 ha`, `3.4 km²`.
    static func ofArea(_ squareMetres: Double) -> String {
        if squareMetres < 10_000 { return "\(Decimals.text(squareMetres, decimals: 0)) m²" }
        if squareMetres < 1_000_000 { return "\(Decimals.text(squareMetres / 10_000, decimals: 1)) ha" }
        return "\(Decimals.text(squareMetres / 1_000_000, decimals: 1)) km²"
    }
}
