import DocumentValues
import Glibc

extension QueryFunctions {
    static let numbers: [String: Function] = [
        "abs": real { abs($0) }, "acos": real { acos($0) }, "asin": real { asin($0) }, "atan": real { atan($0) },
        "ceil": real { ceil($0) }, "cos": real { cos($0) }, "degrees": real { $0 * 180 / .pi },
        "exp": real { exp($0) }, "floor": real { floor($0) }, "ln": real { log($0) }, "log": real { log10($0) },
        "radians": real { $0 * .pi / 180 }, "sin": real { sin($0) }, "sqrt": real { sqrt($0) },
        "tan": real { tan($0) },
        "e": plain { _ in .real(M_E) }, "pi": plain { _ in .real(.pi) },
        "sign": of { $0.number.map { .integer($0 > 0 ? 1 : $0 < 0 ? -1 : 0) } ?? .null },
        "atan2": reals { atan2($0, $1) },
        "power": plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let base = arguments[0].number, let exponent = arguments[1].number else { return .null }
            let result = pow(base, exponent)
            return result.isNaN ? .missing : .real(result)
        },
        "div": reals { $1 == 0 ? .nan : $0 / $1 },
        "idiv": plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let left = arguments[0].number, let right = arguments[1].number else { return .null }
            let divisor = trunc(right)
            guard divisor != 0, let whole = Int64(exactly: trunc(trunc(left) / divisor)) else { return .null }
            return .integer(whole)
        },
        "round": rounded { round($0) }, "round_even": rounded { $0.rounded(.toNearestOrEven) },
        "trunc": rounded { trunc($0) },
        "greatest": { try best($0, sign: 1, meter: $1.meter) }, "least": { try best($0, sign: -1, meter: $1.meter) },
    ]

    private static func finite(_ value: Double) -> QueryValue { value.isFinite ? .real(value) : .null }

    private static func real(_ body: @escaping @Sendable (Double) -> Double) -> Function {
        of { $0.number.map { finite(body($0)) } ?? .null }
    }

    private static func reals(_ body: @escaping @Sendable (Double, Double) -> Double) -> Function {
        plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let left = arguments[0].number, let right = arguments[1].number else { return .null }
            return finite(body(left, right))
        }
    }

    /// With the number of digits behind the point, if there is one.
    private static func rounded(_ body: @escaping @Sendable (Double) -> Double) -> Function {
        plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let number = arguments[0].number else { return .null }
            guard arguments.count > 1 else { return finite(body(number)) }
            guard let digits = arguments[1].number else { return .null }
            let scale = pow(10, trunc(digits))
            // More digits in front of the point than any number has.
            guard scale > 0 else { return finite(number * 0) }
            guard scale.isFinite, (number * scale).isFinite else { return finite(number) }
            return finite(body(number * scale) / scale)
        }
    }

    private static func best(_ values: [QueryValue], sign: Int, meter: WorkMeter) throws -> QueryValue {
        guard !values.contains(where: \.isMissing) else { return .missing }
        return try values.dropFirst().reduce(values[0]) {
            try $1.compared(to: $0, meter: meter) == sign ? $1 : $0
        }
    }
}
