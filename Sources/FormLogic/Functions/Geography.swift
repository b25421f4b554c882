import Glibc

/// Lengths and areas on the earth, as a sphere.
package enum Geography {
    /// Metres.
    static let radius = 6_378_100.0

    /// Metres along a line.
    package static func length(_ points: [GeoPoint]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + distance($1.0, to: $1.1) }
    }

    /// Along a great circle, by the haversine.
    private static func distance(_ from: GeoPoint, to: GeoPoint) -> Double {
        let (first, second) = (radians(from.latitude), radians(to.latitude))
        let height = sin((second - first) / 2)
        let width = sin(radians(to.longitude - from.longitude) / 2)
        let half = height * height + cos(first) * cos(second) * width * width
        return 2 * radius * asin(Swift.min(1, half.squareRoot()))
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// Square metres that a line encloses.
    package static func area(_ points: [GeoPoint]) -> Double {
        guard points.count >= 3 else { return 0 }
        let scale = 2 * Double.pi * radius / 360
        let flat = points.map { point in
            (
                x: (point.longitude - points[0].longitude) * scale * cos(radians(point.latitude)),
                y: (point.latitude - points[0].latitude) * scale
            )
        }
        let sum = zip(flat, flat.dropFirst()).reduce(0.0) { $0 + ($1.0.y * $1.1.x - $1.0.x * $1.1.y) }
        return abs(0.5 * sum)
    }

    /// Whether a line to the edge of the world crosses the shape an odd number of times.
    static func isInside(_ point: GeoPoint, of shape: [GeoPoint]) -> Bool {
        var isInside = false
        var last = shape.count - 1
        for index in shape.indices {
            let (here, there) = (shape[index], shape[last])
            if (here.longitude > point.longitude) != (there.longitude > point.longitude),
                point.latitude
                    < (there.latitude - here.latitude) * (point.longitude - here.longitude)
                    / (there.longitude - here.longitude) + here.latitude
            {
                isInside.toggle()
            }
            last = index
        }
        return isInside
    }
}
