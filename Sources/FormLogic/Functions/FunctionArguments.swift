import DocumentValues

/// The arguments of a call, evaluated.
package struct FunctionArguments {
    package enum Argument {
        case value(FormValue)
        /// The values of a set of nodes, in document order.
        case nodes([FormValue])
    }

    private let all: [Argument]
    package let function: Report.FunctionName

    package init(_ all: [Argument], of function: FormFunction) {
        self.all = all
        self.function = Report.FunctionName(function.rawValue)
    }

    package var count: Int { all.count }

    /// As one value: of a set of nodes the first, empty where there is none.
    package func value(_ index: Int, state: inout FunctionState) -> FormValue {
        Self.single(all[index], function: function, state: &state)
    }

    package static func single(
        _ argument: Argument, function: Report.FunctionName, state: inout FunctionState
    ) -> FormValue {
        switch argument {
        case .value(let value): return value
        case .nodes(let values):
            if values.count > 1 { state.report(.severalNodes, in: function) }
            return values.first ?? .empty
        }
    }

    package func text(_ index: Int, state: inout FunctionState) -> String {
        let value = value(index, state: &state)
        return state.conversions.text(value)
    }

    package func number(_ index: Int, state: inout FunctionState) -> Double {
        let value = value(index, state: &state)
        return state.conversions.number(value)
    }

    /// With the time of a moment as a fraction of its day.
    package func fractionalNumber(_ index: Int, state: inout FunctionState) -> Double {
        let value = value(index, state: &state)
        return state.conversions.fractionalNumber(value)
    }

    package func boolean(_ index: Int, state: FunctionState) -> Bool {
        switch all[index] {
        case .value(let value): state.conversions.boolean(value)
        case .nodes(let values): values.count > 1 || values.first.map { state.conversions.boolean($0) } ?? false
        }
    }

    /// The values of some arguments; a set of nodes gives all of its.
    package func flattened(from index: Int = 0) -> [FormValue] {
        all.dropFirst(index).flatMap { argument in
            switch argument {
            case .value(let value): [value]
            case .nodes(let values): values
            }
        }
    }

    /// The values of a set of nodes; `nil` for an argument that is a single value.
    package func nodes(_ index: Int) -> [FormValue]? {
        guard case .nodes(let values) = all[index] else { return nil }
        return values
    }
}
