import FormLogic

/// Positions as a person reads them.
enum PositionText {
    /// `52.50000 N 13.40000 E · altitude 34 m · ± 5 m · 1.2 km from the site`
    static func of(_ point: GeoPoint, site: GeoPoint? = nil) -> String {
        var parts = [degrees(point)]
        if point.altitude != 0 { parts.append("altitude \(metres(point.altitude)) m") }
        if point.accuracy != 0 { parts.append("± \(metres(point.accuracy)) m") }
        if let site { parts.append("\(LengthText.of(Geography.length([site, point]))) from the site") }
        return parts.joined(separator: " · ")
    }

    /// `52.50000 N 13.40000 E`: five digits are a metre.
    private static func degrees(_ point: GeoPoint) -> String {
        let latitude = "\(Decimals.text(abs(point.latitude), decimals: 5)) \(point.latitude < 0 ? "S" : "N")"
        return "\(latitude) \(Decimals.text(abs(point.longitude), decimals: 5)) \(point.longitude < 0 ? "W" : "E")"
    }

    private static func metres(_ number: Double) -> String {
        number == number.rounded() ? Decimals.text(number, decimals: 0) : Decimals.text(number, decimals: 1)
    }

    /// `12 points · 1.2 km`; of a shape `5 points · 3.4 ha · around it 740 m`.
    static func of(_ points: [GeoPoint], isShape: Bool) -> String {
        let length = LengthText.of(Geography.length(points))
        let count = "\(points.count) points"
        return isShape
            ? "\(count) · \(LengthText.ofArea(Geography.area(points))) · around it \(length)" : "\(count) · \(length)"
    }
}
