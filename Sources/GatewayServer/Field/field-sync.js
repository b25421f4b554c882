// Decides who may write a record of the field database, and which channels it goes to.
//
// An inspector writes records of the districts granted to them. A supervisor also approves and returns inspections and
// filled forms, assigns work, moves records of others to other districts, and deletes them. The office also writes forms and
// the records that all users see, and imports records that others created (registers of earlier years). Administrators
// may do all of that.
function (doc, oldDoc, meta) {
    // The records of this collection, which the function does not know: "field init" names them here. "" are all kinds.
    var kind = "";
    var kinds = ["site", "inspection", "finding", "form", "assignment", "response"];
    var statuses = {inspection: ["draft", "submitted", "approved", "returned"], assignment: ["open", "done", "dropped"]};
    // Of filled forms. Laptops keep drafts to themselves, and write "draft" and "final".
    var states = ["draft", "final", "sent", "edited", "hasIssues", "rejected", "approved"];
    // What only supervisors say of a record.
    var verdicts = {inspection: ["approved", "returned"], response: ["approved", "hasIssues", "rejected"]};
    var everybody = ["!", "*"];
    // The limits of a record's content. Laptops must be able to add to it: approvals, values to be decided, a journal.
    // An approval notes the findings that it saw, and a return its reason: no user may fill an inspection so that these
    // do not fit. Colleagues may fill half of the letters, values and files, and supervisors may add as much again: a
    // record that a colleague has filled can still be handed in by its owner, and corrected by a supervisor.
    // Values take time of this function, and a write over a large record needs time for both versions.
    // The notes about who changed each field (three values for a field) have limits of their own: a merge notes every
    // field that was added to a record, which may be as many as the record has.
    var limits = {
        letters: 1000000, reviewedLetters: 4000000, values: 20000, reviewedValues: 40000, levels: 200, files: 1000, fileNames: 2000,
        notedValues: 80000, notedLetters: 2000000, megabytesByColleagues: 200, deletionLetters: 4000
    };

    function refuse(reason) { throw({forbidden: reason}); }
    function passes(requirement, value) {
        try { requirement(value); } catch (refusal) { return false; }
        return true;
    }
    // Numbers that the engine cannot hold come as texts, but laptops read them as numbers. Any other text is a text, even
    // if it looks like a number: it may be a user's name.
    var numbersAsTexts = Object.create(null);
    (meta && Array.isArray(meta.numbersAsTexts) ? meta.numbersAsTexts : []).forEach(function (number) {
        numbersAsTexts[number] = true;
    });
    function isNumberAsText(text) { return numbersAsTexts[text] === true; }
    function isString(value) { return typeof value === "string" && !isNumberAsText(value); }
    function isText(value) { return isString(value) && value !== ""; }
    function isWriter(name) { return isText(name) && passes(requireUser, name); }
    // A value that cannot be made a text would end this function with an error, and not only refuse the write.
    function shown(value) { return isText(value) ? value : "(no text)"; }
    function isOneOf(list, value) { return list.indexOf(value) >= 0; }
    function withArticle(name) { return (isOneOf(["a", "e", "i", "o", "u"], name.charAt(0)) ? "an " : "a ") + name; }

    var isAdmin = passes(requireAdmin);
    var isOffice = passes(requireRole, "office");
    var isSupervisor = isOffice || passes(requireRole, "supervisor");

    // The user who does the work; "" if none is named. In other records a member of that name means nothing.
    function inspector(record) {
        return isOneOf(["inspection", "assignment"], record.type) && isText(record.inspector) ? record.inspector : "";
    }

    // A record belongs to its creator, or to its inspector if it names no creator. One that names neither, such as a
    // finding of an old register, belongs to all users; a site does not, because records of many users refer to it.
    function belongsToWriter(record) {
        if (isText(record.createdBy)) { return isWriter(record.createdBy); }
        if (inspector(record)) { return isWriter(inspector(record)); }
        return record.type !== "site";
    }

    // A record is the work of its owner and of its inspector: other users do not remove parts of it.
    function isWorkOfWriter(record) { return belongsToWriter(record) || isWriter(inspector(record)); }

    function checkChannel(name) {
        if (isOneOf(everybody, name)) {
            if (!isOffice) { refuse("only the office writes what everybody sees"); }
        } else if (!passes(requireAccess, [name, "*"])) {
            var isDistrict = name.indexOf("district.") === 0;
            refuse(isDistrict ? "the district " + name.substring(9) + " is not one of yours"
                : "the channel " + name + " is not one of yours");
        }
    }

    // A record in several districts belongs to the users of each: a channel that one user adds shuts no other user out.
    function checkStored(record) {
        var channels = [].concat(record.channels).filter(isText);
        if (channels.length === 0 && !passes(requireAccess, "*")) { refuse("the record is in no district of yours"); }
        channels.filter(function (name) { return isOneOf(everybody, name); }).forEach(checkChannel);
        if (channels.length > 0 && !passes(requireAccess, channels.concat("*"))) { checkChannel(channels[0]); }
    }

    function checkChannels(record) {
        if (!Array.isArray(record.channels) || record.channels.length === 0) {
            refuse("the record names no channel, so nobody would get it");
        }
        if (!record.channels.every(isText)) { refuse("the record's channels are not a list of names"); }
    }

    // The writer needs access to the channels that a record gets or loses.
    function checkMove(record, old) {
        var before = old ? channelsOf(old) : [];
        var moved = without(record.channels, before).concat(without(before, record.channels));
        moved.forEach(checkChannel);
        // An inspection takes the findings of others along; users who have them keep them.
        var isShared = record.type === "finding" && without(before, record.channels).length === 0;
        if (old && moved.length > 0 && !isSupervisor && !isWorkOfWriter(old) && !isShared) {
            refuse("only a supervisor moves records of others to other districts");
        }
    }

    function channelsOf(record) { return [].concat(record.channels).filter(isText); }

    function without(names, others) {
        var known = Object.create(null);
        others.forEach(function (name) { known[name] = true; });
        return names.filter(function (name) { return known[name] !== true; });
    }

    function checkDeletion(record) {
        if (record.type === "form" && !isOffice) { refuse("only the office deletes forms"); }
        if (isSupervisor) { return; }
        if (record.status === "approved") { refuse("only a supervisor deletes what is approved"); }
        if (record.type === "assignment") { refuse("only a supervisor deletes assignments"); }
        // The creator is the user who made it, or who brought it back after a deletion; the work is its inspector's.
        var isOfWriter = inspector(record) === "" ? belongsToWriter(record) : isWriter(inspector(record));
        if (!isOfWriter) { refuse("only a supervisor deletes records of others"); }
    }

    // A gateway that was restored from a backup lacks records that were made after it, but colleagues have them: they get
    // the deletion by the channels that it names. A channel to which the writer has no access is left out, because laptops
    // would otherwise keep deletions that they can never send. The owner of the record cannot be looked up here: colleagues
    // get the deletion if the writer says that the record was theirs; if it was not, the laptop of its creator sends it again.
    // If the record is here, its channels get the deletion anyway. The channels that the deletion names keep showing it: a
    // laptop that has received it names them, too, when it is the first to send it to a gateway that has lost it.
    function announceDeletion(deletion, old) {
        if (old) {
            var others = without(channelsOf(deletion), channelsOf(old));
            channel(without(channelsOf(deletion), others));
            return;
        }
        if (!isAdmin && !isSupervisor && !isWriter(deletion.createdBy)) { return; }
        channel(channelsOf(deletion).filter(function (name) {
            return isAdmin || (isOneOf(everybody, name) ? isOffice : passes(requireAccess, [name, "*"]));
        }));
    }

    // A laptop's deletion says who created the record. Other laptops rely on that, so it is checked where that is possible;
    // and a gateway that has lost a user's record accepts its deletion only from users who could delete it before.
    function checkCreatorOfDeletion(deletion, old, isNew) {
        var creator = member(deletion, "createdBy");
        if (isSupervisor || isMissing(creator)) { return; }
        var isTrue = old ? isSame(creator, member(old, "createdBy")) : !isNew || isWriter(creator);
        if (!isTrue) { refuse("only a supervisor deletes records of others"); }
    }

    // Other content of a deletion would belong to no user, and no user would ever see or remove it.
    function checkContentOfDeletion(deletion) {
        var own = ["_id", "_rev", "_deleted", "_revisions", "_attachments", "_cv"];
        var content = Object.keys(deletion).filter(function (key) { return !isOneOf(own, key); });
        var size = content.reduce(function (sum, key) {
            return sum + key.length + JSON.stringify(deletion[key]).length;
        }, 0);
        if (size > limits.deletionLetters) {
            refuse("the deletion has more than " + limits.deletionLetters + " letters of content");
        }
        if (isObject(deletion._attachments) && Object.keys(deletion._attachments).length > 0) {
            refuse("the deletion has files");
        }
    }

    function checkKind(record, old) {
        if (!isOneOf(kinds, record.type)) { refuse("there is no kind of record named " + shown(record.type)); }
        if (kind && record.type !== kind) { refuse(withArticle(record.type) + " does not belong to the " + kind + "s"); }
        if (old && record.type !== old.type) {
            refuse(withArticle(shown(old.type)) + " does not become " + withArticle(record.type));
        }
        if (record.type === "form" && !isOffice) { refuse("only the office writes forms"); }
    }

    // A record that is brought back after a deletion belongs to the user who brings it back: its former owner cannot be
    // looked up any more, and users could write records in the name of others over deletions of their own.
    function checkCreator(record, old) {
        if (isOffice) { return; }
        if (old) {
            if (record.createdBy !== old.createdBy) { refuse("who created a record does not change"); }
            var created = moment(member(old, "createdAt"));
            if (created && moment(member(record, "createdAt")) !== created && !belongsToWriter(old)) {
                refuse("when a record of somebody else was created does not change");
            }
        } else if (!isText(record.createdBy)) {
            refuse("the record does not say who created it");
        } else if (!isWriter(record.createdBy)) {
            refuse("the record says that " + record.createdBy + " created it, and you are somebody else");
        }
    }

    // A merge takes the name from either version: from the writer's, or from the one that is here. The latter is taken
    // with its time and device: no user may say that another one changed a record at another time, or on another device.
    function checkChanger(record, old) {
        if (isOffice || isWriter(record.changedBy)) { return; }
        if (record.changedBy === undefined) { checkUnnamed(record, old); } else { checkOtherChanger(record, old); }
        // A merge with the same result as the version here, except for open questions, keeps that version's author.
        if (!old || isUnnamedCreator(record)) { return; }
        if (!changesOnly(["conflicts"], rewritten(record), rewritten(old))) {
            refuse("the record is changed, and does not say that you changed it");
        }
        if (!hasSame(["fieldChanges"], record, old)) {
            refuse("the record says otherwise who changed its fields, and not that you changed it");
        }
        var isAsked = sameAsOneOf(questions(record).map(question));
        if (!questions(old).every(function (entry) { return isAsked(question(entry)); })) {
            refuse("the record is decided about, and does not say that you decided it");
        }
    }

    function checkOtherChanger(record, old) {
        // If the record is not here, laptops send it as a record of the writer.
        if (!old) { refuse("the record says that " + shown(record.changedBy) + " changed it last, and you are somebody else"); }
        if (record.changedBy !== old.changedBy) {
            refuse("the record says that " + shown(record.changedBy) + " changed it last, and you are somebody else, as it is here");
        }
        if (!hasSame(["changedAt", "device"], record, old)) {
            refuse("when " + shown(record.changedBy) + " changed the record does not change");
        }
    }

    // If a record does not say who changed it, laptops show its creator, on that device.
    function isUnnamedCreator(record) { return record.changedBy === undefined && isWriter(record.createdBy); }

    function checkUnnamed(record, old) {
        // If another user changed it last, its creator must not leave that name out: it shows whose work is overwritten.
        var last = old ? member(old, "changedBy") : undefined;
        if (isUnnamedCreator(record) && (isMissing(last) || isWriter(last))) { return; }
        var isDated = !isMissing(record.changedAt) || !isMissing(record.device);
        if (isDated && !(old && hasSame(["changedBy", "changedAt", "device"], record, old))) {
            refuse("the record says when or on which device it was changed, and not who changed it");
        }
        // Otherwise laptops would show another user's change as the creator's.
        if (!isMissing(last)) { refuse("the record does not say any more who changed it last"); }
    }

    function hasSame(names, record, old) {
        return names.every(function (name) { return isSame(member(record, name), member(old, name)); });
    }

    // Laptops accept no documents under such ids, and only an administrator could remove them.
    function checkID(id) {
        if (/[\u0000-\u001f\u007f]/.test(id)) { refuse("the record's id has control characters"); }
    }

    // Registers have ids that can be guessed: a person who used one before the office imports its record would be its
    // creator, and choose its district. So others make records under ids that are made at random, as laptops do, and delete no
    // other that is not here: a deletion could be written over.
    function checkNewID(id, does) {
        var made = new RegExp("^(" + (kind || kinds.join("|")) + ")-[02-9a-hjkmnp-z]{10}$");
        if (isOffice || made.test(id)) { return; }
        refuse("only the office " + does + " under an id that no laptop makes: " + id);
    }

    // A record that expires is deleted later without a call of this function. A gateway that does not pass on the expiry
    // of the request keeps at least the record.
    function checkExpiry() {
        if (isSupervisor) { return; }
        if (meta && meta.expiry) { refuse("only a supervisor lets records expire"); }
        expiry(0);
    }

    function isNumber(value) { return typeof value === "number"; }
    function isWhole(value) {
        return isNumber(value) && Math.floor(value) === value && Math.abs(value) <= 9007199254740991;
    }
    function isMissing(value) { return value === undefined || value === null; }
    function isDigest(value) { return isString(value) && /^sha1-[A-Za-z0-9+\/]{26}[AEIMQUYcgkosw048]=$/.test(value); }
    function oneOf(choices) { return function (value) { return isOneOf(choices, value); }; }

    function isDay(value) {
        var parts = isString(value) && (/^(\d{4})-(\d\d)-(\d\d)$/.exec(value) || /^(\d{4})(\d\d)(\d\d)$/.exec(value));
        if (!parts) { return false; }
        var year = Number(parts[1]), month = Number(parts[2]), day = Number(parts[3]);
        var isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        var days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
    }

    function isMoment(value) {
        var parts = isString(value) && /^(.{10})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d*)?Z$/.exec(value);
        return parts && parts[1].charAt(4) === "-" && isDay(parts[1]);
    }

    // An object in which some members must be there, and some may be.
    function hasMembers(value, needed, possible) {
        return isObject(value)
            && Object.keys(needed).every(function (key) { return needed[key](member(value, key)); })
            && Object.keys(possible || {}).every(function (key) {
                return isMissing(member(value, key)) || possible[key](member(value, key));
            });
    }

    function isPhoto(photo) {
        return hasMembers(
            photo, {name: isText, blob: isBlob}, {caption: isString, takenAt: isMoment, attachedAt: isMoment});
    }
    function isBlob(value) {
        return isObject(value) && member(value, "@type") === "blob" && isDigest(member(value, "digest"));
    }
    function isAddress(value) {
        return hasMembers(value, {}, {street: isString, city: isString, state: isString, postalCode: isString});
    }
    function isLocation(value) { return hasMembers(value, {latitude: isNumber, longitude: isNumber}); }
    // An approval's notes about the findings: texts by their ids, or one digest if there are too many for a record.
    function isDigests(value) {
        if (isDigest(value)) { return true; }
        return isObject(value) && Object.keys(value).every(function (key) { return isText(value[key]); });
    }
    // The id of another record. It has the length of an id at most: laptops that do not have that record show the id.
    function isReference(value) { return isString(value) && value.length <= 250; }
    function isObjects(value) { return Array.isArray(value) && value.every(isObject); }
    function isTexts(value) { return Array.isArray(value) && value.every(isText); }
    function isSource(value) { return hasMembers(value, {file: isString, digest: isString}); }
    // Laptops of this version read records of its schema; a newer one hides a record from all of them.
    function isSchema(value) { return isWhole(value) && value <= (doc.type === "form" ? 2 : 1); }
    // A form of schema 2 is a document for each version of its questions, and one that names the versions.
    function shape(record) { return record.type === "form" && record.schema === 2 ? "questions" : record.type; }

    // The members that laptops read. A record makes no sense without the vital ones: a new record must have them, and
    // they cannot be removed.
    var members = {
        site: {name: isString, address: isAddress, location: isLocation, phone: isString, notes: isString},
        inspection: {
            site: isReference, date: isDay, visit: oneOf(["routine", "complaint", "followUp", "opening"]),
            inspector: isString, score: isWhole, form: isReference, assignment: isReference, answers: isObject,
            notes: isString, submittedAt: isMoment, review: isString, approvedFindings: isDigests,
            approvedPhotos: isTexts
        },
        finding: {
            inspection: isReference, site: isReference, date: isDay, text: isString, risk: oneOf(["low", "moderate", "high"]),
            corrected: isDay, notes: isString
        },
        assignment: {
            inspector: isString, site: isReference, due: isDay, form: isReference, instructions: isString,
            inspection: isReference
        },
        response: {
            form: isReference, formVersion: isString, formDigest: isString, instanceID: isString, instanceName: isString,
            deprecatedID: isString, startedAt: isMoment, endedAt: isMoment, finalisedBy: isString, edits: isWhole,
            site: isReference, assignment: isReference, history: isObjects, answers: isObject,
            "@audit": isObjects, "@seeds": isObject, "@skipped": isTexts,
            "@reports": isObjects, "@former": isObjects, "@notes": isObjects, "@begun": isObjects, "@entities": isObjects
        },
        form: {name: isString, version: isWhole, fields: Array.isArray},
        questions: {
            form: isReference, version: isString, nodes: isObjects, digest: isString, current: isString,
            state: oneOf(["open", "closing", "closed"]), versions: isTexts
        }
    };
    var ofAll = {
        schema: isSchema, district: isDistrict, createdBy: isString, createdAt: isMoment, changedBy: isString,
        changedAt: isMoment, device: isString, source: isSource
    };
    var vital = {
        site: ["name"], inspection: ["site", "date", "status"], finding: ["site", "date", "text"],
        assignment: ["inspector", "site", "due"], form: ["name"],
        response: ["form", "formVersion", "instanceID", "state"], questions: ["form", "title"]
    };

    // The users of a district get its records by its channel.
    function isDistrict(value) {
        return isText(value) && isOneOf(doc.channels, "district." + value);
    }

    // Members that were wrong before are accepted, so that a user can correct the others.
    function checkMembers(record, old) {
        function check(types) {
            Object.keys(types).forEach(function (key) {
                var value = member(record, key);
                if (isMissing(value) || types[key](value) || (old && isSame(value, member(old, key)))) { return; }
                refuse("the record's " + key + " is not what laptops can read");
            });
        }
        check(ofAll);
        check(members[shape(record)]);
        if (old) { checkIsKept(record, old); } else { checkIsWhole(record); }
        checkLimits(record, old);
        checkPhotos(record, old);
        checkEntries("conflicts", record, old);
        checkEntries("fieldChanges", record, old);
        checkBlobs(record, old);
    }

    function checkIsKept(record, old) {
        vital[shape(record)].concat("district").forEach(function (key) {
            if (isMissing(member(record, key) || null) && !isMissing(member(old, key) || null)) {
                refuse("the record's " + key + " cannot be taken away");
            }
        });
    }

    // No user of the district could show, correct or delete it. An inspection without a status is a draft on laptops.
    function checkIsWhole(record) {
        vital[shape(record)].forEach(function (key) {
            if (key !== "status" && isMissing(member(record, key))) {
                refuse("the record has no " + key + ", and no laptop can read it without");
            }
        });
    }

    // A record that was too large before may stay as large, or get smaller.
    function checkLimits(record, old) {
        var names = Object.keys(record).filter(function (key) { return key !== "_attachments"; });
        if (!names.every(function (key) { return isFlat(record[key], limits.levels - 1); })) {
            refuse("the record is nested more than " + limits.levels + " levels deep");
        }
        var isReview = isSupervisor && record.type === "inspection";
        var share = isSupervisor ? 2 : old && !isWorkOfWriter(old) ? 0.5 : 1;
        var mostValues = isReview ? limits.reviewedValues : share * limits.values;
        // An approval notes the findings, also those of colleagues: it has to fit.
        var counted = withoutNotes(record, isReview), before = old && withoutNotes(old, isReview);
        if (hasMoreValues(counted, mostValues) && !(old && !hasMoreValues(counted, countValues(before)))) {
            refuse("the record has more than " + mostValues + " values");
        }
        var size = letters(counted);
        var most = isReview ? limits.reviewedLetters : share * limits.letters;
        if (size > most && !(old && size <= letters(before))) {
            refuse("the record has more than " + most + " letters");
        }
        var files = digestsIn(record).length;
        if (files > share * limits.files && !(old && files <= digestsIn(old).length)) {
            refuse("the record refers to more than " + share * limits.files + " files");
        }
        checkNames(record, old, share);
        checkNoted(record, old, share);
        // A laptop takes an object with @type "blob" for a file, with everything that is in it.
        if (member(record, "@type") !== undefined) { refuse("the record itself is marked as a file, by its @type"); }
    }

    // A laptop sends each file under the path of names to it, and the attachments of others under their names: if all of
    // these are too long together, it cannot send the record.
    function checkNames(record, old, share) {
        var most = share * limits.letters, length = pathLetters(record);
        if (length > most && !(old && length <= pathLetters(old))) {
            refuse("the record's files are behind names of more than " + most + " letters together");
        }
        var names = Object.keys(meta && meta.attachments || {});
        var namesBefore = Object.keys(old && old._attachments || {});
        if (sumOfLengths(names) > 2 * most && sumOfLengths(names) > sumOfLengths(namesBefore)) {
            refuse("the record's files are behind names of more than " + 2 * most + " letters together");
        }
        if (names.length > share * limits.fileNames && names.length > namesBefore.length) {
            refuse("the record has more than " + share * limits.fileNames + " names of files");
        }
    }

    function sumOfLengths(texts) { return texts.reduce(function (sum, text) { return sum + text.length; }, 0); }

    function pathLetters(record) {
        function letters(value, path) {
            if (isBlob(value)) { return path; }
            if (typeof value !== "object" || value === null) { return 0; }
            return Object.keys(value).reduce(function (sum, key) {
                return sum + letters(value[key], path + key.length + 1);
            }, 0);
        }
        return Object.keys(record).reduce(function (sum, key) {
            return key === "_attachments" ? sum : sum + letters(record[key], key.length);
        }, 0);
    }

    function withoutNotes(record, isReview) {
        var notes = ["fieldChanges"].concat(isReview ? ["approvedFindings", "approvedPhotos"] : []);
        var copy = Object.create(null);
        Object.keys(record).forEach(function (key) {
            if (!isOneOf(notes, key)) { copy[key] = record[key]; }
        });
        return copy;
    }

    function checkNoted(record, old, share) {
        function noted(version) { return {fieldChanges: version && member(version, "fieldChanges") || []}; }
        var now = noted(record), before = noted(old);
        var most = {values: share * limits.notedValues, letters: share * limits.notedLetters};
        if (hasMoreValues(now, most.values) && hasMoreValues(now, countValues(before))) {
            refuse("the record notes more than " + most.values + " values of who changed its fields");
        }
        if (letters(now) > Math.max(most.letters, letters(before))) {
            refuse("the record notes more than " + most.letters + " letters of who changed its fields");
        }
    }

    // The number of a record's members and of all members and elements in them, up to one more than `most`.
    function countValues(record, most) {
        var waiting = [record], count = 0;
        while (waiting.length > 0 && !(count > most)) {
            var value = waiting.pop();
            Object.keys(value).forEach(function (key) {
                count += 1;
                if (typeof value[key] === "object" && value[key] !== null) { waiting.push(value[key]); }
            });
        }
        return count;
    }
    function hasMoreValues(record, most) { return countValues(record, most) > most; }

    function letters(record) {
        return Object.keys(record).reduce(function (sum, key) {
            return key === "_attachments" ? sum : sum + key.length + JSON.stringify(record[key]).length;
        }, 0);
    }

    function isFlat(value, levels) {
        if (typeof value !== "object" || value === null) { return true; }
        if (levels <= 0) { return false; }
        return Object.keys(value).every(function (key) { return isFlat(value[key], levels - 1); });
    }

    // Members that laptops write themselves: lists of objects.
    function checkEntries(name, record, old) {
        var entries = member(record, name);
        if (isMissing(entries) || (Array.isArray(entries) && entries.every(isObject))
            || (old && isSame(entries, member(old, name)))) { return; }
        refuse("the record's " + name + " are not a list of values");
    }

    function checkPhotos(record, old) {
        var photos = member(record, "photos");
        if (isMissing(photos) || (Array.isArray(photos) && photos.every(isPhoto))) { return; }
        var before = old ? member(old, "photos") : undefined;
        if (Array.isArray(photos) && Array.isArray(before)) {
            var isKnown = sameAsOneOf(before);
            if (photos.every(function (photo) { return isPhoto(photo) || isKnown(photo); })) { return; }
        } else if (old && isSame(photos, before)) { return; }
        refuse("the record's photos are not a list of photos, each with a name and a blob");
    }

    // Whether a value is one of these. Each of these is read only once.
    function sameAsOneOf(values) {
        var known = Object.create(null);
        values.forEach(function (value) { known[JSON.stringify(canonical(value))] = true; });
        return function (value) { return known[JSON.stringify(canonical(value))] === true; };
    }

    // Other members of a blob are sent with its attachment, where some of them would be taken for members of the file: no
    // laptop could send the record any more.
    function checkBlobMembers(record, old) {
        var wasThere = sameAsOneOf(old ? blobsIn(old) : []);
        blobsIn(record).forEach(function (blob) {
            var other = Object.keys(blob).filter(function (key) {
                return !isOneOf(["@type", "digest", "length", "content_type"], key);
            });
            if (other.length > 0 && !wasThere(blob)) {
                refuse("the record's files have more than a digest, a length and a type: " + shown(other[0]));
            }
        });
    }

    // A laptop accepts no record without its files: a digest without a file would keep the record from all laptops. The
    // gateway passes on the attachments of every record that refers to files; other gateways do not.
    function checkBlobs(record, old) {
        checkBlobMembers(record, old);
        if (!meta || !meta.attachments) { return; }
        Object.keys(meta.attachments).forEach(function (name) {
            if (meta.attachments[name].missing === true) {
                refuse("the gateway has only the name of the attachment " + name + ", not what is in it");
            }
        });
        var known = Object.create(null);
        attachedDigests(meta.attachments).concat(old ? lostDigests(old) : []).forEach(function (digest) {
            known[digest] = true;
        });
        var digests = digestsIn(record);
        digests.forEach(function (digest) {
            if (!known[digest]) { refuse("the record refers to a file that is not attached to it"); }
        });
        checkAttachments(record, old, sameAsOneOf(digests));
        checkBytes(old);
    }

    // A laptop accepts a version only with all of its files: until it has the files that a colleague has attached, its
    // owner and the reviewers cannot send their changes of the record.
    function checkBytes(old) {
        if (!old || isSupervisor || isWorkOfWriter(old)) { return; }
        var before = sizesIn(old._attachments, Object.create(null));
        var bytes = sum(sizesIn(meta.attachments, before));
        if (bytes > limits.megabytesByColleagues * 1000000 && bytes > sum(before)) {
            refuse("the files of the record have more than " + limits.megabytesByColleagues
                + " MB together, to which only its owner or a supervisor adds");
        }
    }

    // By digest. The earlier length of a file counts, too, because a user who names it again may give any length.
    function sizesIn(attachments, before) {
        var sizes = Object.create(null);
        Object.keys(attachments || {}).forEach(function (name) {
            var file = attachments[name];
            sizes[file.digest] = Math.max(
                sizes[file.digest] || 0, before[file.digest] || 0, file.length || 0, file.encoded_length || 0);
        });
        return sizes;
    }
    function sum(sizes) {
        return Object.keys(sizes).reduce(function (total, key) { return total + sizes[key]; }, 0);
    }

    function checkAttachments(record, old, isReferredTo) {
        var wasAttached = sameAsOneOf(old ? attachedDigests(old._attachments) : []);
        Object.keys(meta.attachments || {}).forEach(function (name) {
            var digest = meta.attachments[name].digest;
            // Laptops take an attachment under a file's path for that file, even if the record has another digest.
            var blob = name.substring(0, 6) === "blob_/" ? valueAt(name.substring(6), record) : undefined;
            if (isBlob(blob) && blob.digest !== digest) {
                refuse("another file is attached as " + name + " than the record refers to");
            }
            // No laptop shows such a file, or could remove it.
            if (!isReferredTo(digest) && !wasAttached(digest)) {
                refuse("a file is attached that the record does not refer to");
            }
        });
    }

    // The value of a record at a path: photos/0/blob. If instead the path of each value was made, the length of names
    // would be multiplied by the number of values.
    function valueAt(path, record) {
        return path.split("/").reduce(function (value, part) {
            var key = part.replace(/~1/g, "/").replace(/~0/g, "~");
            return typeof value === "object" && value !== null ? member(value, key) : undefined;
        }, record);
    }

    // Files that were missing before: an edit is not refused for them.
    function lostDigests(old) {
        var wasAttached = sameAsOneOf(attachedDigests(old._attachments));
        return digestsIn(old).filter(function (digest) { return !wasAttached(digest); });
    }

    // The digests of the files that a record refers to.
    function digestsIn(record) { return blobsIn(record).map(function (blob) { return blob.digest; }); }

    function blobsIn(record) {
        var found = [];
        function look(value, isRecord) {
            if (isBlob(value)) { found.push(value); return; }
            if (typeof value !== "object" || value === null) { return; }
            Object.keys(value).forEach(function (key) {
                if (!(isRecord && key === "_attachments")) { look(value[key], false); }
            });
        }
        look(record, true);
        return found;
    }

    function isObject(value) { return typeof value === "object" && value !== null && !Array.isArray(value); }

    function member(record, key) {
        return Object.prototype.hasOwnProperty.call(record, key) ? record[key] : undefined;
    }

    // The same value for the same content, in any order of its members. An object without a prototype can have a member
    // of any name.
    function canonical(value) {
        if (isNumberAsText(value) || (typeof value === "number" && Math.abs(value) >= 9007199254740992)) {
            // It is a text in the new version, and a rounded number in the old one.
            return {"a number": String(Number(value))};
        }
        if (Array.isArray(value)) { return value.map(canonical); }
        if (value === null || typeof value !== "object") { return value; }
        var sorted = Object.create(null);
        Object.keys(value).sort().forEach(function (key) { sorted[key] = canonical(value[key]); });
        return sorted;
    }

    // Whether the content is the same, in any order of its members.
    function isSame(one, other) {
        if (isObject(one) && isObject(other)) {
            var keys = Object.keys(one);
            return keys.length === Object.keys(other).length
                && keys.every(function (key) { return isSame(member(one, key), member(other, key)); });
        }
        if (Array.isArray(one) && Array.isArray(other)) {
            return one.length === other.length
                && one.every(function (element, index) { return isSame(element, other[index]); });
        }
        return one === other || isRounded(one, other) || isRounded(other, one);
    }

    // A number that no double holds is a text in the new version, and rounded in the old one: 9007199254740993, 1e999.
    function isRounded(text, number) {
        return typeof text === "string" && typeof number === "number" && Math.abs(number) >= 9007199254740992
            && /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text) && Number(text) === number;
    }

    // An approved photo does not change: its name, its caption and its time stay.
    function keepsPhotos(record, old) {
        return photosOf(old).every(sameAsOneOf(photosOf(record)));
    }

    function photosOf(record) { return Array.isArray(record.photos) ? record.photos.filter(isObject) : []; }

    // Attachments are not members of the record, but a photo that is not attached is lost.
    function attachedDigests(attachments) {
        return Object.keys(attachments || {}).map(function (name) { return attachments[name].digest; });
    }

    // Whether all other members are unchanged, except those that laptops and gateways write with every change.
    function changesOnly(names, record, old) {
        var open = names.concat(["fieldChanges", "changedBy", "changedAt", "device",
            "_id", "_rev", "_revisions", "_attachments", "_exp", "_deleted"]);
        return Object.keys(record).concat(Object.keys(old)).every(function (key) {
            if (isOneOf(open, key)) { return true; }
            return key === "channels" ? hasSameChannels(record, old) : isSame(member(record, key), member(old, key));
        });
    }

    // In any order.
    function hasSameChannels(record, old) {
        var before = channelsOf(old), now = channelsOf(record);
        return without(now, before).concat(without(before, now)).length === 0;
    }

    // When a laptop has merged an approval with an edit, it may add values to be decided, and photos. All other members
    // stay as they were approved.
    function checkApproved(record, old) {
        var attached = meta && meta.attachments && sameAsOneOf(attachedDigests(meta.attachments));
        var wasAttached = sameAsOneOf(attachedDigests(old._attachments));
        var hasFiles = !attached || photosOf(old).every(function (photo) {
            var digest = isObject(photo.blob) && photo.blob.digest;
            return attached(digest) || !wasAttached(digest);
        });
        if (!hasFiles) { refuse("only a supervisor takes a file from what is approved"); }
        if (!keepsPhotos(record, old)) { refuse("only a supervisor changes a photo of what is approved"); }
        // A laptop that has merged the approval adds the steps that its user took without a network.
        var open = record.type === "response" ? ["conflicts", "photos", "history"] : ["conflicts", "photos"];
        if (!changesOnly(open, record, old)) {
            refuse("only a supervisor changes what is approved");
        }
    }

    // A laptop that merges two versions of a record keeps the notes of a supervisor's version.
    function checkNotes(record, old) {
        function isKept(key) {
            var value = member(record, key), before = old ? member(old, key) : null;
            return isSame(isMissing(value) ? null : value, isMissing(before) ? null : before);
        }
        if (!isKept("approvedFindings")) { refuse("only a supervisor notes which findings were approved"); }
        if (!isKept("approvedPhotos")) { refuse("only a supervisor notes which photos were approved"); }
        if (record.type === "inspection" && !isKept("review")) { refuse("only a supervisor says why it is returned"); }
    }

    // Questions about a record are in its "conflicts" until a user has decided them. A merge adds questions, and removes
    // only those that the version here does not have any more either.
    function checkQuestions(record, old) {
        if (isSupervisor || (record.type === "assignment" && isWriter(old.createdBy))) { return; }
        var isAsked = sameAsOneOf(questions(record).map(question));
        var isOpen = sameAsOneOf(openFields(record, old));
        var isKept = questions(old).every(function (entry) {
            return !isOfSupervisors(entry, record, old) || isAsked(question(entry))
                || !(isDeletionAsked(entry) || isOpen(askedField(entry)));
        });
        if (!isKept) { refuse("only a supervisor decides what supervisors are asked about"); }
    }

    // Laptops take a field as decided if all its values are the one that the record has.
    function openFields(record, old) {
        return questions(old).filter(function (entry) {
            var value = member(entry, "value"), present = presentValue(askedField(entry), record);
            return !isSame(isMissing(value) ? null : value, isMissing(present) ? null : present);
        }).map(askedField);
    }

    function presentValue(field, record) {
        return [].concat(field).reduce(function (value, name) {
            return isObject(value) && isString(name) ? member(value, name) : undefined;
        }, record);
    }

    function questions(record) {
        var entries = member(record, "conflicts");
        return Array.isArray(entries) ? entries.filter(isObject) : [];
    }

    // The same for the same question, independent of the user who gave the value, and of the time.
    function question(entry) {
        if (isDeletionAsked(entry)) { return "deletion"; }
        var value = member(entry, "value");
        return [askedField(entry), isMissing(value) ? null : value];
    }

    function isDeletionAsked(entry) { return member(entry, "deleted") === true && isMissing(member(entry, "field")); }

    function askedField(entry) {
        var field = member(entry, "field");
        return Array.isArray(field) && field.length === 1 ? field[0] : field;
    }

    // A former state is no question any more if the record has a later one: an inspection that was returned, and is
    // handed in again.
    function isOfSupervisors(entry, record, old) {
        var field = askedField(entry), value = member(entry, "value");
        var hasGoneOn = field === "status" && value === old.status && record.status !== old.status;
        if (record.type === "inspection") {
            return field === "review" || (field === "status" && isOneOf(["approved", "returned"], value) && !hasGoneOn);
        }
        if (record.type === "response") {
            var isStepped = value === old.state && record.state !== old.state;
            return field === "state" && isOneOf(verdicts.response, value) && !isStepped;
        }
        if (record.type !== "assignment") { return false; }
        if (field === "status") { return value === "dropped" && !hasGoneOn && record.status !== "done" && !isDone(old); }
        return isDeletionAsked(entry) || (!isMissing(field) && field !== "inspection");
    }

    // Whether one version says that it is done. The inspector decides whether that is true.
    function isDone(assignment) {
        return assignment.status === "done" || questions(assignment).some(function (entry) {
            return askedField(entry) === "status" && member(entry, "value") === "done";
        });
    }

    // A colleague may hand in an inspection that is still open. If its inspector handed it in, the time stays.
    function checkSubmission(record, old) {
        if (record.type !== "inspection" || !old || isWorkOfWriter(old)) { return; }
        if (old.status === "submitted" && record.status !== "submitted") {
            refuse("only a supervisor, or the one whose it is, takes back what was submitted");
        }
        checkSubmitter(record, old);
        var isHandedIn = record.status === "submitted" && old.status !== "submitted";
        if (!isHandedIn && !isSame(member(record, "submittedAt"), member(old, "submittedAt"))) {
            refuse("when an inspection of somebody else was submitted does not change");
        }
    }

    // Every user, also a supervisor, hands in another user's inspection in their own name: laptops show it. A supervisor who
    // takes an approval or a return back leaves it to the user who had handed it in, who cannot be looked up here.
    function checkSubmitter(record, old) {
        if (isOffice || record.type !== "inspection" || !old || record.status !== "submitted" || isWorkOfWriter(old)) { return; }
        var last = reviews(record).slice(-1)[0];
        var isOfWriter = last !== undefined && isWriter(last.by);
        if (old.status !== "submitted") {
            var isTakenBack = isSupervisor && isOneOf(["approved", "returned"], old.status);
            if (!isOfWriter && !isTakenBack) { refuse("the record is submitted, and does not say by whom"); }
        } else if (!(isSupervisor && isOfWriter) && !isSame(reviews(record), reviews(old))) {
            refuse("the record says that somebody else " + record.status + " it");
        }
    }

    // A submitted inspection is submitted with its photos. Their names and captions may still change: a user without a
    // network may not know yet that it is submitted. The state of a finding's inspection cannot be seen here, so the photos
    // of every finding stay.
    function checkPhotosOfOthers(record, old) {
        if (!old || isWorkOfWriter(old)) { return; }
        var isSubmitted = record.type === "inspection" && old.status === "submitted";
        if (!isSubmitted && record.type !== "finding") { return; }
        var isThere = sameAsOneOf(photoDigests(record));
        if (photoDigests(old).every(isThere)) { return; }
        if (isSubmitted) { refuse("only a supervisor takes a photo from what somebody else has submitted"); }
        refuse("only a supervisor takes a photo from a finding of somebody else");
    }

    function photoDigests(record) {
        return photosOf(record).map(function (photo) { return member(photo, "blob"); }).filter(isBlob)
            .map(function (blob) { return blob.digest; });
    }

    // The member that says how far a record has come.
    function step(record) { return record.type === "response" ? "state" : "status"; }

    // Laptops show who approved or returned a record, when, and on which device, from its notes about fields. A
    // supervisor writes such a note only about themselves; the notes of others stay as they are.
    function checkReviewers(record, old) {
        var said = record[step(record)], last = old ? old[step(record)] : undefined;
        if (isOffice || !isOneOf(verdicts[record.type] || [], said)) { return; }
        var now = reviews(record);
        var before = last === said ? reviews(old) : [];
        var verdict = said === "hasIssues" ? "returned" : said;
        var ofOthers = now.filter(function (review) { return !isSupervisor || !isWriter(review.by); });
        // A new record with such a state was imported by its creator.
        if (now.length === 0 && old && last !== said) {
            refuse("the record is " + verdict + ", and does not say by whom");
        }
        // Laptops read the last one.
        var isKept = isSupervisor || isSame(now.slice(-1), before.slice(-1));
        if (isKept && ofOthers.every(sameAsOneOf(before))) { return; }
        var names = sameAsOneOf(before.map(function (review) { return review.by; }));
        if (ofOthers.length > 0 && ofOthers.every(function (review) { return names(review.by); })) {
            refuse("the record says that it was " + verdict + " at another time, or on another device");
        }
        refuse("the record says that somebody else " + verdict + " it");
    }

    // User, time and device. For the writer only the user: a laptop notes all changes of a user with one time.
    function reviews(record) {
        var entries = member(record, "fieldChanges");
        return (Array.isArray(entries) ? entries : []).filter(function (entry) {
            return isObject(entry) && Array.isArray(member(entry, "fields"))
                && isOneOf(entry.fields, step(record));
        }).map(function (entry) {
            var by = isString(member(entry, "by")) ? entry.by : "";
            if (isWriter(by)) { return {by: by}; }
            var device = member(entry, "device");
            return {by: by, at: moment(member(entry, "at")), device: isString(device) ? device : ""};
        });
    }

    // As laptops spell it, to the second; "" for a text that they do not read. The fraction is searched only once: a
    // pattern that begins anywhere would search from each point of a text of points.
    function moment(value) {
        if (!isString(value)) { return ""; }
        var point = value.indexOf(".");
        var whole = point >= 0 && /^\.[^Z]*Z$/.test(value.substring(point)) ? value.substring(0, point) + "Z" : value;
        return isMoment(whole) ? whole : "";
    }

    // A status that stays is accepted: after a merge, an inspector's laptop sends a supervisor's approval along.
    function checkStatus(record, old) {
        var before = old ? old.status : undefined;
        if (record.status !== before && record.status !== undefined) {
            if (!isText(record.status)) { refuse("the record's status is not a text"); }
            if (!isOneOf(statuses[record.type] || [], record.status)) {
                refuse("the status " + record.status + " is none of " + record.type + " records");
            }
        }
        var isReview = record.status !== before && isOneOf(["approved", "returned"], record.status);
        if (isReview && !isSupervisor) { refuse("only a supervisor approves or returns inspections"); }
        if (record.type !== "response") { checkReviewers(record, old); }
        if (isSupervisor) { return checkSubmitter(record, old); }
        if (before === "approved") {
            if (record.status !== before) { refuse("only a supervisor takes an approval back"); }
            checkApproved(record, old);
        }
        checkNotes(record, old);
        checkSubmission(record, old);
        checkPhotosOfOthers(record, old);
    }

    // A filled form is its author's: only supervisors change what others have answered, or review it. Its author may hand in
    // a returned one again. As with inspections, a state that stays is accepted.
    function checkState(record, old) {
        if (record.type !== "response") { return; }
        var before = old ? old.state : undefined;
        if (record.state !== before && !isOneOf(states, record.state)) {
            refuse("the record's state is none of a filled form");
        }
        if (record.state !== before && isOneOf(verdicts.response, record.state) && !isSupervisor) {
            refuse("only a supervisor approves or returns filled forms");
        }
        checkReviewers(record, old);
        checkFinaliser(record, old);
        checkHistory(record, old);
        if (isSupervisor) { return; }
        if (before === "approved") {
            if (record.state !== before) { refuse("only a supervisor takes an approval back"); }
            checkApproved(record, old);
        }
        if (!old || isWorkOfWriter(old)) { return; }
        if (record.state !== before) {
            refuse("only a supervisor changes the state of somebody else's filled form");
        }
        if (!hasSame(["answers", "form", "formVersion", "instanceID", "deprecatedID", "@notes"], record, old)) {
            refuse("only a supervisor changes the answers of somebody else's filled form");
        }
    }

    // The steps in the life of a filled form, with their reasons: each is added by the user who took it, and stays. Those of
    // a record that this gateway has lost, or that is brought back, cannot be compared.
    function checkHistory(record, old) {
        if (isOffice || !old) { return; }
        var before = steps(old), now = steps(record);
        if (!before.every(sameAsOneOf(now))) { refuse("the record's history loses a step"); }
        var wasThere = sameAsOneOf(before);
        now.filter(function (entry) { return !wasThere(entry); }).forEach(function (entry) {
            var by = member(entry, "by"), isVerdict = isOneOf(["approved", "returned"], member(entry, "action"));
            if (!isWriter(by) && (isVerdict || !isMissing(by))) {
                refuse("the record's history has a new step of somebody else");
            }
            if (isVerdict && !isSupervisor) { refuse("only a supervisor approves or returns filled forms"); }
        });
    }

    function steps(record) {
        var entries = member(record, "history");
        return Array.isArray(entries) ? entries.filter(isObject) : [];
    }

    function checkFinaliser(record, old) {
        var by = member(record, "finalisedBy");
        if (isOffice || isMissing(by) || isWriter(by) || (old && isSame(by, member(old, "finalisedBy")))) { return; }
        refuse("the record says that somebody else finalised it");
    }

    // A user who made the visit without a network, while it was given to another user, may note that, but change nothing
    // else: otherwise the visit would be made twice.
    function isDoneInstead(record, old) {
        return old.status === "open" && record.status === "done" && isText(record.inspection)
            && isMissing(member(old, "inspection"))
            && changesOnly(["status", "inspection"], rewritten(record), rewritten(old));
    }

    // As laptops write an assignment: without members that are null, and with days in one spelling. The time of its
    // creation does not count: it says nothing about the work.
    function rewritten(record) {
        var copy = Object.create(null);
        Object.keys(record).forEach(function (key) {
            if (isMissing(record[key]) || isOneOf(["schema", "createdAt"], key)) { return; }
            copy[key] = key === "due" && isDay(record.due) ? record.due.replace(/-/g, "") : record[key];
        });
        return copy;
    }

    // An assignment belongs to the user who assigned it. The inspector may set it to done, and open it again. A visit that
    // was made counts even if the assignment was dropped in the meantime.
    function checkAssignment(record, old) {
        if (!old) { refuse("only a supervisor assigns work"); }
        if (isWriter(old.createdBy)) { return; }
        if (!isWriter(inspector(old)) && !isDoneInstead(record, old)) { refuse("the assignment is somebody else's"); }
        if (record.status !== old.status && !isOneOf(["open", "done"], record.status)) {
            refuse("only a supervisor drops what was assigned");
        }
        if (old.status === "dropped" && record.status === "open") {
            refuse("only a supervisor assigns again what was dropped");
        }
        if (!changesOnly(["status", "inspection", "conflicts"], rewritten(record), rewritten(old))) {
            refuse("only a supervisor changes what was assigned");
        }
    }

    function checkAssigned(record, old) {
        if (isSupervisor) { return; }
        // A user who becomes the inspector of another user's record would get rights to it.
        if (old && inspector(record) !== inspector(old)) {
            // Work of another user is not taken from them.
            var isOfOther = inspector(old) !== "" && !isWriter(inspector(old));
            if (record.type === "assignment" || !belongsToWriter(old) || isOfOther) {
                refuse("only a supervisor hands work to somebody else");
            }
        }
        if (record.type === "assignment") { checkAssignment(record, old); }
        // A finding is shown with its inspection: without that, no user sees it.
        if (record.type === "finding" && old && record.inspection !== old.inspection && !belongsToWriter(old)) {
            refuse("only a supervisor moves a finding of somebody else to another inspection");
        }
    }

    // Anything else of that name is an ordinary member.
    var old = oldDoc && oldDoc._deleted !== true ? oldDoc : null;
    if (doc._deleted === true) {
        // Every user may delete a record that is not here: it never arrived, or is deleted already. Laptops would otherwise
        // keep deletions that they can never send.
        if (old && !isAdmin) {
            checkStored(old);
            checkDeletion(old);
        }
        if (!isAdmin) {
            checkContentOfDeletion(doc);
            checkCreatorOfDeletion(doc, old, !oldDoc);
        }
        if (!oldDoc && !isAdmin) { checkNewID(doc._id, "deletes what is not here"); }
        announceDeletion(doc, old);
        return;
    }
    checkChannels(doc);
    if (!isAdmin) {
        if (old) { checkStored(old); } else { checkID(doc._id); }
        checkKind(doc, old);
        // A record that is brought back after a deletion keeps its id.
        if (!oldDoc) { checkNewID(doc._id, "adds records"); }
        checkMove(doc, old);
        checkCreator(doc, old);
        checkChanger(doc, old);
        checkMembers(doc, old);
        checkStatus(doc, old);
        checkState(doc, old);
        if (old) { checkQuestions(doc, old); }
        checkAssigned(doc, old);
        checkExpiry();
    }
    channel(doc.channels);
}
