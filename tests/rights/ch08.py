"""Unusual right solutions of the exercises of chapter 8 that their checks must accept (form: tools/gate.py)."""

RIGHT = {
    "speed_up": {
        "as a rate": "def speed_up(serial, workers, talk):\n    return workers / (serial * workers + 1 - serial + talk * workers * (workers - 1))",
        "by fractions": "from fractions import Fraction\ndef speed_up(serial, workers, talk):\n    s, t = Fraction(serial), Fraction(talk)\n    return float(1 / (s + (1 - s) / workers + t * (workers - 1)))",
        "in numpy": "def speed_up(serial, workers, talk):\n    parts = np.array([serial, (1 - serial) / workers, talk * (workers - 1)])\n    return np.reciprocal(parts.sum())",
    },
    "busy_share": {
        "by merging": "def busy_share(spans, lane):\n    merged = []\n    for s, e in sorted((s, e) for n, s, e in spans if n == lane):\n        if merged and s <= merged[-1][1]:\n            merged[-1][1] = max(merged[-1][1], e)\n        else:\n            merged.append([s, e])\n    times = [t for _, s, e in spans for t in (s, e)]\n    return sum(e - s for s, e in merged) / (max(times) - min(times))",
        "by cutting the time": "def busy_share(spans, lane):\n    cuts = sorted({t for _, s, e in spans for t in (s, e)})\n    busy = sum(b - a for a, b in zip(cuts, cuts[1:]) if any(n == lane and s <= a and b <= e for n, s, e in spans))\n    return busy / (cuts[-1] - cuts[0])",
        "by events": "def busy_share(spans, lane):\n    events = sorted([(s, 1) for n, s, e in spans if n == lane] + [(e, -1) for n, s, e in spans if n == lane])\n    deep, since, busy = 0, None, 0.0\n    for t, step in events:\n        if deep == 0:\n            since = t\n        deep += step\n        if deep == 0:\n            busy += t - since\n    return busy / (max(s[2] for s in spans) - min(s[1] for s in spans))",
    },
    "accept": {
        "by a list of lists": "def accept(seen, packets, now, oldest):\n    found = [games for name, version, games in packets if version + oldest >= now and name not in seen and not seen.add(name)]\n    return sum(found, [])",
        "in one pass, by filter": "def accept(seen, packets, now, oldest):\n    out = []\n    for packet in packets:\n        if packet[0] in seen or packet[1] < now - oldest:\n            continue\n        seen |= {packet[0]}\n        out.extend(packet[2])\n    return out",
        "by a dictionary": "def accept(seen, packets, now, oldest):\n    fresh = {}\n    for name, version, games in packets:\n        if version >= now - oldest and name not in seen:\n            fresh.setdefault(name, games)\n    seen.update(fresh)\n    return [game for games in fresh.values() for game in games]",
        "a tuple": "def accept(seen, packets, now, oldest):\n    found = ()\n    for n, v, g in packets:\n        if now <= v + oldest and not {n} & seen:\n            seen.update([n])\n            found += tuple(g)\n    return found",
    },
    "generator_for": {
        "kept, with a table": "TABLE, KEPT = [3, 1, 4], {}\ndef generator_for(seed, worker, number):\n    key = seed, worker, number\n    if key not in KEPT:\n        KEPT[key] = np.random.SeedSequence([seed, worker, number] + TABLE)\n    return np.random.default_rng(KEPT[key])",
        "one after another": "def generator_for(seed, worker, number):\n    return np.random.default_rng(seed).spawn(worker + 1)[worker].spawn(number + 1)[number]",
        "spawned": "def generator_for(seed, worker, number):\n    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(worker, number))))",
        "by a hash": "import hashlib\ndef generator_for(seed, worker, number):\n    text = f'{seed}/{worker}/{number}'.encode()\n    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest(), 'big'))",
        "far apart": "def generator_for(seed, worker, number):\n    return np.random.default_rng((seed << 64) + (worker << 32) + number)",
    },
    "collect": {
        "results by promise": "def collect(cluster, weights, tasks):\n    ref, order, found, busy = cluster.put(weights), [], {}, {}\n    for task in tasks:\n        if len(busy) == cluster.workers:\n            first = cluster.wait(busy)[0][0]\n            worker = busy.pop(first)\n        else:\n            worker = len(busy)\n        promise = cluster.play(worker, ref, task)\n        busy[promise] = worker\n        order.append(promise)\n    return [cluster.get(promise) for promise in order]",
        "by lists": "def collect(cluster, weights, tasks):\n    if len(tasks) == 0:\n        return []\n    ref, left, busy, found = cluster.put(weights), list(range(len(tasks))), [], {}\n    idle = list(range(cluster.workers))\n    while left or busy:\n        while left and idle:\n            worker, place = idle.pop(), left.pop(0)\n            busy.append((cluster.play(worker, ref, tasks[place]), worker, place))\n        ready, _ = cluster.wait([promise for promise, _, _ in busy])\n        for entry in [entry for entry in busy if entry[0] in ready]:\n            busy.remove(entry)\n            found[entry[2]] = cluster.get(entry[0])\n            idle.append(entry[1])\n    return [found[place] for place in range(len(tasks))]",
        "one at a time": "def collect(cluster, weights, tasks):\n    ref, results, owner, following = cluster.put(weights), [None] * len(tasks), {}, 0\n    for worker in range(min(cluster.workers, len(tasks))):\n        owner[cluster.play(worker, ref, tasks[worker])] = (worker, worker)\n        following = worker + 1\n    while owner:\n        first = cluster.wait(list(owner))[0][0]\n        worker, place = owner.pop(first)\n        results[place] = cluster.get(first)\n        if following < len(tasks):\n            owner[cluster.play(worker, ref, tasks[following])] = (worker, following)\n            following += 1\n    return results",
        "a tuple, by a queue": "from collections import deque\ndef collect(cluster, weights, tasks):\n    queue, ref = deque(enumerate(tasks)), cluster.put(weights)\n    waiting, done = [], []\n    for worker in range(cluster.workers):\n        if queue:\n            place, task = queue.popleft()\n            waiting.append((cluster.play(worker, ref, task), place, worker))\n    while waiting:\n        ready = set(map(id, cluster.wait([w[0] for w in waiting])[0]))\n        over, waiting = [w for w in waiting if id(w[0]) in ready], [w for w in waiting if id(w[0]) not in ready]\n        for promise, place, worker in over:\n            done.append((place, cluster.get(promise)))\n            if queue:\n                place, task = queue.popleft()\n                waiting.append((cluster.play(worker, ref, task), place, worker))\n    return tuple(result for _, result in sorted(done))",
    },
    "serve": {
        "by a queue": "from collections import deque\ndef serve(arrivals, most, deadline, seconds_of):\n    coming, answers, free = deque(arrivals), [], 0.0\n    while coming:\n        times = list(coming)[:most]\n        start = times[0] + deadline\n        if len(times) == most:\n            start = min(start, times[-1])\n        start = max(start, free)\n        batch = [t for t in times if t <= start]\n        for _ in batch:\n            coming.popleft()\n        free = start + seconds_of(len(batch))\n        answers.extend(free for _ in batch)\n    return answers",
        "by events": "import heapq\ndef serve(arrivals, most, deadline, seconds_of):\n    answers, waiting, free, i = [None] * len(arrivals), [], 0.0, 0\n    while i < len(arrivals) or waiting:\n        if not waiting:\n            waiting.append(i); i += 1\n        start = None\n        while True:\n            due = max(free, arrivals[waiting[0]] + deadline)\n            if len(waiting) >= most:\n                start = max(free, arrivals[waiting[most - 1]])\n                break\n            if i < len(arrivals) and arrivals[i] <= due:\n                waiting.append(i); i += 1\n            else:\n                start = due\n                break\n        while i < len(arrivals) and arrivals[i] <= start:\n            waiting.append(i); i += 1\n        batch, waiting = waiting[:most], waiting[most:]\n        free = start + seconds_of(len(batch))\n        for number in batch:\n            answers[number] = free\n    return answers",
        "by search in an array": "def serve(arrivals, most, deadline, seconds_of):\n    a, out, free, i = np.asarray(arrivals, float), [], 0.0, 0\n    while i < a.size:\n        start = a[i] + deadline\n        if i + most <= a.size:\n            start = min(start, a[i + most - 1])\n        start = max(start, free)\n        n = min(most, int(np.searchsorted(a, start, side='right')) - i)\n        free = start + seconds_of(n)\n        out += n * [free]\n        i += n\n    return np.array(out).tolist()",
    },
    "parameter_server": {
        "weights never in place": "class ParameterServer:\n    def __init__(self, weights, rate, oldest):\n        self.history, self.rate, self.oldest = [np.asarray(weights, float) + 0], rate, oldest\n    def pull(self):\n        return len(self.history) - 1, np.array(self.history[-1])\n    def push(self, version, gradient):\n        age = len(self.history) - 1 - version\n        if age < 0 or age > self.oldest or not np.all(np.isfinite(gradient)):\n            return False\n        self.history.append(self.history[-1] - self.rate * np.asarray(gradient) / (age + 1))\n        return True",
        "by slots": "class ParameterServer:\n    __slots__ = ('w', 's', 'r', 'o', 'v')\n    def __init__(self, weights, rate, oldest):\n        self.w, self.s, self.r, self.o, self.v = [float(x) for x in weights.ravel()], weights.shape, rate, oldest, 0\n    def pull(self):\n        return self.v, np.array(self.w).reshape(self.s)\n    def push(self, version, gradient):\n        if self.v - version not in range(self.o + 1) or not all(math.isfinite(g) for g in gradient.ravel()):\n            return False\n        step = self.r / (self.v - version + 1)\n        self.w = [w - step * g for w, g in zip(self.w, gradient.ravel())]\n        self.v += 1\n        return True",
        "a function that makes one": "def ParameterServer(weights, rate, oldest):\n    state = {'version': 0, 'weights': np.array(weights, float)}\n    class Server:\n        def pull(self):\n            return state['version'], state['weights'].copy()\n        def push(self, version, gradient):\n            age = state['version'] - version\n            good = bool(0 <= age <= oldest and not np.sum(~np.isfinite(gradient)))\n            if good:\n                state['weights'] = state['weights'] - rate * np.array(gradient) / (1 + age)\n                state['version'] += 1\n            return good\n    return Server()",
    },
}

BLANKS = {
    "shared_value": {
        "NumPy's functions": "def shared_value(w, v, in_flight, parent_visits, parent_in_flight, c):\n"
        "    n, total = v + in_flight, parent_visits + parent_in_flight\n    return c * np.sqrt(np.log(total) / n) + w / n",
        "playouts in flight as zeros": "def shared_value(w, v, in_flight, parent_visits, parent_in_flight, c):\n"
        "    n = v + in_flight\n    mean = (w + 0 * in_flight) / n\n    return mean + c * (math.log(parent_in_flight + parent_visits) / n) ** 0.5",
        "two roots": "def shared_value(w, v, in_flight, parent_visits, parent_in_flight, c):\n    v += in_flight\n"
        "    parent_visits += parent_in_flight\n    return w / v + c * math.sqrt(math.log(parent_visits)) / math.sqrt(v)",
    },
    "padded_answers": {
        "by concatenate": "def padded_answers(net, planes, size):\n    n = len(planes)\n"
        "    rest = np.zeros((size - n, *planes.shape[1:]), np.float32)\n    p, v = net(np.concatenate([planes, rest]))\n    return p[:n], v[:n]",
        "by np.pad": "def padded_answers(net, planes, size):\n    n = planes.shape[0]\n"
        "    log_priors, values = net(np.pad(planes, [(0, size - n), (0, 0), (0, 0), (0, 0)]))\n    return log_priors[0:n], values[0:n]",
        "padded with the first board": "def padded_answers(net, planes, size):\n    n = len(planes)\n"
        "    batch = np.repeat(planes[:1], size, axis=0)\n    batch[:n] = planes\n    return tuple(answer[:n] for answer in net(batch))",
    },
    "played_round": {
        "one loop for each": "def played_round(workers, state, number, put, get):\n    ref, promises = put(state), []\n"
        "    for worker in workers:\n        promises.append(worker.play.remote(ref, number))\n    return [get(promise) for promise in promises]",
        "asked by map": "def played_round(workers, state, number, put, get):\n    weights = put(state)\n"
        "    return get(list(map(lambda worker: worker.play.remote(weights, number), workers)))",
        "by places": "def played_round(workers, state, number, put, get):\n    stored = put(state)\n"
        "    asked = {n: workers[n].play.remote(stored, number) for n in range(len(workers))}\n    return get([asked[n] for n in sorted(asked)])",
    },
    "collected": {
        "a helper": "def collected(references, get, ask_again, gone):\n    def one(place):\n        try:\n            return get(references[place])\n"
        "        except gone:\n            return get(ask_again(place))\n    return [one(place) for place in range(len(references))]",
        "asked at the end": "def collected(references, get, ask_again, gone):\n    packets, lost = {}, []\n    for i in range(len(references)):\n"
        "        try:\n            packets[i] = get(references[i])\n        except gone:\n            lost.append(i)\n"
        "    for i, again in [(i, ask_again(i)) for i in lost]:\n        packets[i] = get(again)\n    return [packets[i] for i in sorted(packets)]",
        "with else": "def collected(references, get, ask_again, gone):\n    out = []\n    for place, reference in enumerate(references):\n"
        "        try:\n            packet = get(reference)\n        except gone:\n            out += [get(ask_again(place))]\n        else:\n            out += [packet]\n    return out",
    },
}
