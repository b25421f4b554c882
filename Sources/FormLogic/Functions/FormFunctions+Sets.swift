extension FormFunctions {
    static let sets: [FormFunction: Function] = [
        .countNonEmpty: { arguments, state in
            .number(Double(arguments.flattened().count { !state.conversions.text($0).isEmpty }))
        },
        .sum: { arguments, state in
            .number(numbers(of: arguments, state: state).reduce(0, +))
        },
        .min: { arguments, state in .number(numbers(of: arguments, state: state).min() ?? .nan) },
        .max: { arguments, state in .number(numbers(of: arguments, state: state).max() ?? .nan) },
        .concat: { arguments, state in joined(arguments.flattened(), separator: "", in: "concat", state: &state) },
        .join: { arguments, state in
            let separator = arguments.text(0, state: &state)
            return joined(arguments.flattened(from: 1), separator: separator, in: "join", state: &state)
        },
    ]

    /// Without those that are none.
    private static func numbers(of arguments: FunctionArguments, state: FunctionState) -> [Double] {
        arguments.flattened().map { state.conversions.number($0) }.filter { !$0.isNaN }
    }

    private static func joined(
        _ values: [FormValue], separator: String, in function: Report.FunctionName, state: inout FunctionState
    ) -> FormValue {
        var result = ""
        for (index, value) in values.enumerated() {
            if index > 0 { result += separator }
            result += state.conversions.text(value)
            guard result.utf8.count <= FormLimits.text else {
                state.report(.limit, in: function)
                return .empty
            }
        }
        return .text(result)
    }
}
