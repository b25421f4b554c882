import DocumentValues

extension FormFunctions {
    static let conditions: [FormFunction: Function] = [
        .boolean: { .boolean($0.boolean(0, state: $1)) },
        .not: { .boolean(!$0.boolean(0, state: $1)) },
        .true: { _, _ in .boolean(true) },
        .false: { _, _ in .boolean(false) },
        .booleanFromString: { arguments, state in
            let text = arguments.text(0, state: &state)
            return .boolean(text == "1" || text.lowercased() == "true")
        },
        .checklist: { arguments, state in
            let minimum = arguments.number(0, state: &state)
            let maximum = arguments.number(1, state: &state)
            let values = arguments.flattened(from: 2)
            let count = Double(values.count { state.conversions.boolean($0) })
            return .boolean((minimum == -1 || count >= minimum) && (maximum == -1 || count <= maximum))
        },
        .weightedChecklist: { arguments, state in
            let minimum = arguments.number(0, state: &state)
            let maximum = arguments.number(1, state: &state)
            let sum = weightedSum(arguments, state: &state)
            return .boolean(sum >= minimum && sum <= maximum)
        },
    ]

    /// The weights of true answers; two sets of nodes are pairs, too.
    private static func weightedSum(_ arguments: FunctionArguments, state: inout FunctionState) -> Double {
        if arguments.count == 4, let answers = arguments.nodes(2), let weights = arguments.nodes(3),
            answers.count == weights.count
        {
            return zip(answers, weights).reduce(0) { sum, pair in
                state.conversions.boolean(pair.0) ? sum + state.conversions.number(pair.1) : sum
            }
        }
        var sum = 0.0
        for index in stride(from: 2, to: arguments.count - 1, by: 2) where arguments.boolean(index, state: state) {
            sum += arguments.number(index + 1, state: &state)
        }
        return sum
    }

    static let selects: [FormFunction: Function] = [
        .selected: { arguments, state in
            let list = arguments.text(0, state: &state)
            let name = arguments.text(1, state: &state).trimmingSpaces
            return .boolean(TextSearch.contains(" \(name) ", in: " \(list) "))
        },
        .selectedAt: { arguments, state in
            let parts = arguments.text(0, state: &state).spacedParts
            let number = arguments.number(1, state: &state)
            guard let index = Int(exactly: number.rounded(.towardZero)), parts.indices.contains(index), number > -1
            else {
                return .empty
            }
            return .text(parts[index])
        },
        .countSelected: { .number(Double($0.text(0, state: &$1).spacedParts.count)) },
    ]
}
