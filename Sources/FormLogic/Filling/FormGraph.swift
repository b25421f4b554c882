import DocumentValues

/// Which rules of a form have to be evaluated again when something changes, and in which order.
package struct FormGraph: Sendable {
    /// The rules whose results are kept in the record. The others are evaluated when they are asked for.
    package enum Rule: String, Sendable, Hashable {
        case relevant, calculation
    }

    package struct Vertex: Sendable, Hashable {
        package let node: FormOutline.ID
        package let rule: Rule
    }

    /// A rule that reads something.
    struct Reader: Sendable, Hashable {
        /// Its number in `order`, or that of its node for filters and counts.
        let index: Int
        let common: FormOutline.ID?
    }

    /// Who reads what, for one kind of reader.
    struct Readers: Sendable {
        fileprivate(set) var values: [FormOutline.ID: Set<Reader>] = [:]
        fileprivate(set) var subtrees: [FormOutline.ID: Set<Reader>] = [:]
        fileprivate(set) var structures: [FormOutline.ID: Set<Reader>] = [:]
        /// By the node whose relevance decides whether others read as empty.
        fileprivate(set) var relevances: [FormOutline.ID: Set<Reader>] = [:]
    }

    /// The vertices, each behind those that it needs.
    package private(set) var order: [Vertex] = []
    private(set) var vertices = Readers()
    private(set) var filters = Readers()
    private(set) var counts = Readers()
    /// The questions whose answers run a calculation: by the question, in document order.
    private(set) var triggered: [FormOutline.ID: [FormOutline.ID]] = [:]

    package init(_ program: FormProgram) {
        let outline = program.outline
        var found: [Vertex] = []
        var reads: [ExpressionReads] = []
        for id in outline.entries.indices {
            let rules = program.rules[id]
            if let relevant = rules.relevant {
                found.append(Vertex(node: id, rule: .relevant))
                reads.append(ExpressionReads(relevant, owner: id, program: program))
            }
            if let calculation = rules.calculation, outline[id].node.trigger.isEmpty {
                found.append(Vertex(node: id, rule: .calculation))
                reads.append(ExpressionReads(calculation, owner: id, program: program))
            }
        }
        let sorting = VertexSorting(vertices: found, reads: reads, program: program)
        order = sorting.order.map { found[$0] }
        for (index, vertex) in sorting.order.enumerated() {
            vertices.add(reads[vertex], index: index, program: program)
        }
        addFiltersAndCounts(program)
        addTriggers(outline)
    }

    private mutating func addFiltersAndCounts(_ program: FormProgram) {
        for id in program.outline.entries.indices {
            if case .select(_, let source) = program.outline[id].type {
                let isOfAnswers = if case .answers = source { true } else { false }
                let filter = program.rules[id].choiceFilter
                if filter != nil || isOfAnswers {
                    let reads = ExpressionReads(filter ?? .text(""), owner: id, program: program, isPredicate: true)
                    filters.add(reads, index: id, program: program)
                    // A select that becomes relevant again may have a choice that is no longer offered.
                    filters.addRelevance(
                        of: id, index: id, common: program.outline[id].enclosingRepeat, program: program)
                }
            }
            if let count = program.rules[id].repeatCount {
                counts.add(ExpressionReads(count, owner: id, program: program), index: id, program: program)
            }
        }
    }

    private mutating func addTriggers(_ outline: FormOutline) {
        for (id, entry) in outline.entries.enumerated() {
            for name in entry.node.trigger {
                guard let trigger = outline.nodes(named: name).first, triggered[trigger]?.last != id else { continue }
                triggered[trigger, default: []].append(id)
            }
        }
    }
}

extension FormGraph.Readers {
    mutating func add(_ reads: ExpressionReads, index: Int, program: FormProgram) {
        for read in reads.values {
            values[read.node, default: []].insert(.init(index: index, common: read.common))
            addRelevance(of: read.node, index: index, common: read.common, program: program)
        }
        for read in reads.subtrees {
            subtrees[read.node, default: []].insert(.init(index: index, common: read.common))
            addRelevance(of: read.node, index: index, common: read.common, program: program)
            for id in read.node..<program.outline[read.node].end where program.rules[id].relevant != nil {
                relevances[id, default: []].insert(.init(index: index, common: read.common))
            }
        }
        for read in reads.structures {
            structures[read.node, default: []].insert(.init(index: index, common: read.common))
        }
    }

    /// A node reads as empty when it or one around it is not relevant.
    fileprivate mutating func addRelevance(
        of node: FormOutline.ID, index: Int, common: FormOutline.ID?, program: FormProgram
    ) {
        for id in program.outline.ancestry(of: node) where program.rules[id].relevant != nil {
            relevances[id, default: []].insert(.init(index: index, common: common))
        }
    }
}
